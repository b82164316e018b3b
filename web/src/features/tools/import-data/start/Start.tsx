import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Problem } from '#/api/problem';
import { pages, to } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { Page } from '#/ui/Page';
import { PageTabs } from '#/ui/PageTabs';
import { useImportLists } from '../api';
import type { ImportList } from '../types';
import { History } from './History';
import { NewImport } from './NewImport';
import classes from './Start.module.css';

const TABS = [
  { tab: '', label: 'New import' },
  { tab: 'history', label: 'Earlier imports' },
] as const;

/** A new import, or earlier ones, by address. */
export function Start() {
  const [search] = useSearchParams();
  const tab = search.get('tab') === 'history' ? 'history' : '';
  const lists = useImportLists();
  return (
    <Page title={pages.toolsImportData.label} fill={tab === 'history'} narrow={tab === ''}>
      <PageTabs
        label="Imports"
        current={tab}
        tabs={TABS.map((one) => ({
          value: one.tab,
          to: to('toolsImportData', null, { tab: one.tab, list: search.get('list') }),
          label: one.label,
        }))}
      />
      <Lists query={lists}>
        {(all) => (tab === 'history' ? <History lists={all} /> : <NewImport lists={all} />)}
      </Lists>
    </Page>
  );
}

interface ListsProps {
  query: ReturnType<typeof useImportLists>;
  children(lists: readonly ImportList[]): ReactNode;
}

/** Waits until the user's importable lists are known. */
function Lists({ query, children }: ListsProps) {
  const { data, error, refetch } = query;
  if (error && !data) {
    return (
      <EmptyState
        role="alert"
        icon={IconAlertTriangle}
        title="The lists could not be loaded"
        text={Problem.of(error).message}
        action={
          <Button variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  if (!data) {
    return (
      <div className={classes.bones} aria-busy>
        {Array.from({ length: 10 }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
          <Skeleton key={i} height={48} />
        ))}
      </div>
    );
  }
  if (data.length === 0) {
    return (
      <EmptyState
        icon={IconLock}
        title="There is no list you may import into"
        text="An import adds and changes records, so it takes the right to create and to edit them as well. Your administrator can give you both."
      />
    );
  }
  return children(data);
}
