import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { EmptyState } from '#/ui/EmptyState';
import { count, DOT, moment, plural } from '#/ui/format';
import { type Card, type Failure, isOpen, type Run, useRuns } from './api';
import { askLabel, changeLabel, figureLabel, hasPicture, lasted } from './labels';
import { Doing, RunState } from './RunState';
import classes from './Services.module.css';

const AT_ONCE = 20;

interface Props {
  card: Card | undefined;
  onClose(): void;
}

/** A service's runs: who started them, outcome, changes from run to run, and failures. */
export function HistoryDrawer({ card, onClose }: Props) {
  return (
    <DrawerFrame
      opened={Boolean(card)}
      title={card ? `Runs of ${card.title}` : ''}
      size={600}
      onClose={onClose}
    >
      {card && <Runs key={card.service} card={card} />}
    </DrawerFrame>
  );
}

function Runs({ card }: { card: Card }) {
  const [limit, setLimit] = useState(AT_ONCE);
  const { data, error, refetch } = useRuns(card.service, limit);
  const stores = useNameOf('stores');
  if (error && !data) {
    return (
      <EmptyState
        icon={IconAlertTriangle}
        role="alert"
        compact
        title="The runs could not be loaded"
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
      <Drawer.Body p="lg">
        {[1, 2, 3, 4].map((n) => (
          <Skeleton key={n} height={84} mb="md" />
        ))}
      </Drawer.Body>
    );
  }
  if (data.items.length === 0) {
    return <EmptyState icon={IconHistory} compact title="Never run yet" />;
  }
  return (
    <ol className={classes.runs}>
      {data.items.map((run, at) => (
        <Entry
          key={run.id}
          run={run}
          page={card.page}
          words={askLabel(run.asked, (id) => stores.get(id)?.name)}
          // The newest run's failures are what users look for.
          opened={at === 0}
        />
      ))}
      {data.total > data.items.length && (
        <li className={classes.run}>
          <Button size="xs" variant="default" onClick={() => setLimit(limit + AT_ONCE)}>
            Show more of {count(data.total)}
          </Button>
        </li>
      )}
    </ol>
  );
}

interface EntryProps {
  run: Run;
  page: string;
  /** Its parameters as text. */
  words: string;
  opened: boolean;
}

function Entry({ run, page, words, opened }: EntryProps) {
  const who = run.startedBy?.name ?? (run.scheduled ? 'by schedule' : 'by command');
  return (
    <li className={classes.run}>
      <div className={classes.runHead}>
        <strong>{moment(run.createdAt)}</strong>
        <span className={classes.quiet}>
          {[who, lasted(run.durationMs) && `took ${lasted(run.durationMs)}`]
            .filter(Boolean)
            .join(DOT)}
        </span>
        <RunState run={run} />
      </div>
      <p className={classes.quiet}>{words}</p>
      {isOpen(run) ? (
        <Doing run={run} />
      ) : (
        <p>{run.error ?? run.outcome?.words ?? 'Stopped before it was done.'}</p>
      )}
      <Compared run={run} />
      <Failures run={run} opened={opened} />
      {run.state === 'done' && hasPicture(run.service) && (
        <Link className={classes.open} to={`${page}?run=${encodeURIComponent(run.id)}`}>
          Show this run
        </Link>
      )}
    </li>
  );
}

/** A run's figures next to those of the previous run with the same parameters. */
function Compared({ run }: { run: Run }) {
  const figures = run.outcome?.figures ?? [];
  if (figures.length === 0) return null;
  const compared = figures.some(({ before }) => before != null);
  return (
    <table className={classes.compared}>
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">This run</th>
          {compared && <th scope="col">Before</th>}
          {compared && <th scope="col">Change</th>}
        </tr>
      </thead>
      <tbody>
        {figures.map((figure) => (
          <tr key={figure.label}>
            <th scope="row">{figure.label}</th>
            <td className="num">{figureLabel(figure)}</td>
            {compared && (
              <td className="num">
                {figure.before == null
                  ? '–'
                  : figureLabel({ value: figure.before, unit: figure.unit })}
              </td>
            )}
            {compared && <td className="num">{changeLabel(figure) ?? 'same'}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Failures, each with its reason. */
function Failures({ run, opened }: { run: Run; opened: boolean }) {
  const stores = useNameOf('stores');
  const items = useNameOf('root-items');
  const failed = run.outcome?.failed ?? [];
  const total = run.outcome?.failedTotal ?? 0;
  if (total === 0) return null;
  // Failures with the same reason have the same fix.
  const reasons = grouped(failed, ({ why }) => why);
  const storeOf = ({ storeId }: Failure) => stores.get(storeId ?? '')?.name ?? '';
  const itemOf = ({ rootItemId, what }: Failure) => items.get(rootItemId ?? '')?.name ?? what;
  return (
    <details className={classes.failed} open={opened}>
      <summary>{plural(total, 'problem')}</summary>
      <ul>
        {reasons.map(([why, all]) => (
          <li key={why}>
            <strong>{why}</strong>
            {grouped(all, storeOf).map(([store, of]) => (
              <span key={store}>
                {store && !of.every((one) => itemOf(one) === store) && `${store}: `}
                {of.map(itemOf).join(', ')}
              </span>
            ))}
          </li>
        ))}
        {total > failed.length && (
          <li>
            <span>and {count(total - failed.length)} more</span>
          </li>
        )}
      </ul>
    </details>
  );
}

function grouped<T>(all: readonly T[], by: (one: T) => string): [string, T[]][] {
  const keys = [...new Set(all.map(by))];
  return keys.map((key) => [key, all.filter((one) => by(one) === key)]);
}
