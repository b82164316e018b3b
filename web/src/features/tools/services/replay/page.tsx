import { Button, Select, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconHistory, IconRewindBackward60 } from '@tabler/icons-react';
import { Problem } from '#/api/problem';
import { pages } from '#/paths';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { moment } from '#/ui/format';
import { Page } from '#/ui/Page';
import { isOpen, useRun, useRuns, useServices } from '../api';
import forecast from '../forecast/Forecast.module.css';
import { RunLine } from '../forecast/RunLine';
import { HistoryDrawer } from '../HistoryDrawer';
import { AskPanel } from './AskPanel';
import { Outcome } from './Outcome';

const SERVICE = 'replay';
/** How many of the newest runs are offered. */
const OFFERED = 30;

/** Replays past days: what would have happened under another ordering policy. */
export default function ReplayPage() {
  const state = useTableState();
  const cards = useServices();
  const runs = useRuns(SERVICE, OFFERED);
  const asked = state.get('run');
  const old = useRun(SERVICE, asked);
  const card = cards.data?.items.find(({ service }) => service === SERVICE);
  const all = runs.data?.items ?? [];
  const finished = all.filter(({ state: is }) => is === 'done');
  const chosen = asked ? (all.find(({ id }) => id === asked) ?? old.data) : undefined;
  const run = chosen ?? finished[0];
  const offered = run && !finished.some(({ id }) => id === run.id) ? [run, ...finished] : finished;
  const history = () => state.set({ history: '1' }, true);

  return (
    <Page
      title="Replay"
      back={<BackLink to={pages.toolsServices.path} label="Services" />}
      aside="What would have happened if orders had followed another policy?"
      actions={
        <Button
          variant="default"
          disabled={all.length === 0}
          leftSection={<IconHistory size={16} stroke={1.7} aria-hidden />}
          onClick={history}
        >
          History
        </Button>
      }
    >
      <AskPanel
        // A shown run's parameters can be reused.
        key={state.get('again')}
        card={card}
        open={all.find(isOpen)}
        state={state}
      />
      {run ? (
        <>
          <RunLine
            run={run}
            failedLabel="could not be replayed"
            bare
            onFailed={history}
            choice={
              offered.length > 1 && (
                <Select
                  aria-label="Run"
                  size="xs"
                  data={offered.map(({ id, createdAt }) => ({
                    value: id,
                    label: moment(createdAt),
                  }))}
                  value={run.id}
                  onChange={(id) => state.set({ run: id === finished[0]?.id ? null : id })}
                  allowDeselect={false}
                  className={forecast.runs}
                />
              )
            }
          />
          <Outcome key={run.id} run={run} state={state} onHistory={history} />
        </>
      ) : runs.error && !runs.data ? (
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          title="The replays could not be loaded"
          text={Problem.of(runs.error).message}
          action={
            <Button variant="default" onClick={() => void runs.refetch()}>
              Try again
            </Button>
          }
        />
      ) : !runs.data ? (
        <Skeleton height={360} radius="md" />
      ) : (
        <EmptyState
          icon={IconRewindBackward60}
          title={all.some(isOpen) ? 'The first replay is under way' : 'Nothing was replayed yet'}
          text={
            all.some(isOpen)
              ? 'What it comes to shows here as soon as it is done.'
              : 'Choose past days and the policies to compare, then «Start replay». What each would have come to shows here.'
          }
        />
      )}
      <HistoryDrawer
        card={state.get('history') ? card : undefined}
        onClose={() => state.set({ history: null })}
      />
    </Page>
  );
}
