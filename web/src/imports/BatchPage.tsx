import { Button, Skeleton } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '#/ui/EmptyState';
import { bytes, DOT, plural } from '#/ui/format';
import { Page } from '#/ui/Page';
import { Steps } from './Steps';
import { StatePill, type States } from './states';

interface Props<S extends string> {
  batch: { fileName: string; size: number; state: S };
  states: States<S>;
  /** Other facts about the file, before or after its size. */
  facts: (size: string) => readonly (string | null | undefined)[];
  steps: readonly string[];
  /** The current step. */
  now: number;
  back: ReactNode;
  narrow?: boolean;
  fill?: boolean;
  children: ReactNode;
}

/** One import: its file, its state, its steps, and the current step's work. */
export function BatchPage<S extends string>(props: Props<S>) {
  const { batch, states, facts, steps, now, back, narrow, fill, children } = props;
  return (
    <Page
      title={batch.fileName}
      back={back}
      narrow={narrow}
      fill={fill}
      aside={
        <>
          <StatePill states={states} state={batch.state} />{' '}
          {facts(bytes(batch.size)).filter(Boolean).join(DOT)}
        </>
      }
    >
      <Steps names={steps} now={now} />
      {children}
    </Page>
  );
}

/** A file's number of rows, if known. */
export const rowsOf = (rows: number | null | undefined) => (rows ? plural(rows, 'row') : null);

/** Shown while an import loads. */
export function BatchSkeleton({ back }: { back: ReactNode }) {
  return (
    <Page title="Import" back={back} narrow>
      <Skeleton height={60} />
      <Skeleton height={320} />
    </Page>
  );
}

interface NotOpenedProps {
  text: string;
  /** The page of all imports. */
  to: string;
  page: string;
  /** Whether this fills the page. */
  whole?: boolean;
}

/** An import that does not exist, or is not the user's. */
export function NotOpened({ text, to, page, whole }: NotOpenedProps) {
  return (
    <EmptyState
      page={whole}
      icon={IconFileUnknown}
      role="alert"
      title="This import could not be opened"
      text={text}
      action={
        <Button variant="default" component={Link} to={to}>
          Back to {page}
        </Button>
      }
    />
  );
}
