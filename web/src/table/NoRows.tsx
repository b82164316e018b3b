import { Button } from '@mantine/core';
import { IconAlertTriangle, IconInbox, IconLock, IconSearchOff } from '@tabler/icons-react';
import { EmptyState } from '#/ui/EmptyState';
import type { DataTableProps } from './DataTable';

/** What stands in the table instead of rows: an error, or why there are none. */
export function NoRows<T>(props: DataTableProps<T>) {
  if (props.source.error) return <Failed {...props} />;
  return props.state.q || props.narrowed ? <NoMatch {...props} /> : <NothingYet {...props} />;
}

function NothingYet<T>({ icon = IconInbox, many, empty }: DataTableProps<T>) {
  return (
    <EmptyState
      icon={icon}
      title={empty?.title ?? `No ${many} yet`}
      text={empty?.text}
      action={empty?.action}
    />
  );
}

function NoMatch<T>({ many, state, onClear }: DataTableProps<T>) {
  return (
    <EmptyState
      icon={IconSearchOff}
      title={state.q ? `No ${many} match “${state.q}”` : `No ${many} match`}
      text={
        state.q ? 'Check the spelling or clear the filter.' : `Clear the filter to see all ${many}.`
      }
      action={
        <Button variant="default" onClick={onClear ?? (() => state.set({ q: null }))}>
          Clear filter
        </Button>
      }
    />
  );
}

function Failed<T>({ source, many }: DataTableProps<T>) {
  const problem = source.error;
  if (problem?.status === 403) {
    return (
      <EmptyState
        icon={IconLock}
        role="alert"
        title="Not Authorized"
        text={`You don't have access to ${many}. Your administrator can give it to you.`}
      />
    );
  }
  return (
    <EmptyState
      icon={IconAlertTriangle}
      role="alert"
      title={`The ${many} could not be loaded`}
      text={problem?.message}
      action={
        <Button variant="default" onClick={source.retry}>
          Try again
        </Button>
      }
    />
  );
}
