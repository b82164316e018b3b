import { Button, Skeleton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconInfoCircle,
  IconZoomQuestion,
} from '@tabler/icons-react';
import { Problem } from '#/api/problem';
import { ViewSwitch } from '#/charts/Chart';
import type { TableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import textClasses from '#/ui/Text.module.css';
import { usePhone } from '#/ui/usePhone';
import { usePrinting } from '#/ui/usePrinting';
import { isOpen, type Run } from '../api';
import { type Result, useResult } from './api';
import { type Draft, draftsOf, writePolicies } from './ask';
import { groundLabels, verdictLabel } from './labels';
import { OneItem } from './OneItem';
import { PolicyTable } from './PolicyTable';
import classes from './Replay.module.css';
import { StoresTable } from './StoresTable';
import { Tradeoff } from './Tradeoff';

interface Props {
  run: Run;
  state: TableState;
  onHistory(): void;
}

/** A run's outcome. */
export function Outcome({ run, state, onHistory }: Props) {
  const { data, error, refetch } = useResult(run);
  if (error && !data) {
    const begun = Problem.of(error).code !== 'notBegun';
    return (
      <EmptyState
        icon={IconAlertTriangle}
        role="alert"
        title={begun ? 'This replay could not be loaded' : 'Nothing was replayed'}
        text={begun ? Problem.of(error).message : 'It was stopped before the first store.'}
        action={
          begun && (
            <Button variant="default" onClick={() => void refetch()}>
              Try again
            </Button>
          )
        }
      />
    );
  }
  if (!run.startedAt && !isOpen(run)) {
    return (
      <EmptyState
        icon={IconZoomQuestion}
        title="Nothing was replayed"
        text="It was stopped before the first store."
      />
    );
  }
  if (!data) return <Skeleton height={360} radius="md" />;
  if (data.series === 0) return <NothingPlayed run={run} state={state} onHistory={onHistory} />;
  return <Told run={run} result={data} state={state} onHistory={onHistory} />;
}

const ICONS = { ok: IconCircleCheck, warn: IconAlertTriangle, neutral: IconInfoCircle } as const;

function Told({ run, result, state, onHistory }: Props & { result: Result }) {
  const phone = usePhone();
  const printing = usePrinting();
  const chosen = state.get('view');
  const view = printing
    ? 'both'
    : chosen === 'table' || chosen === 'chart'
      ? chosen
      : phone
        ? 'chart'
        : 'both';
  const { tone, words } = verdictLabel(result);
  const Icon = ICONS[tone];
  return (
    <>
      <p className={classes.verdict} data-tone={tone}>
        <Icon size={20} stroke={1.7} aria-hidden />
        <span>
          {words}
          {result.conclusion && ` ${result.conclusion}`}
        </span>
      </p>
      <div className={classes.viewBar}>
        <p className={classes.quiet}>
          {groundLabels(result).join(' ')}{' '}
          {result.leftOut > 0 && (
            <button
              type="button"
              className={`${textClasses.textButton} ${classes.link} no-print`}
              data-link
              onClick={onHistory}
            >
              See which and why
            </button>
          )}{' '}
          <button
            type="button"
            className={`${textClasses.textButton} ${classes.link} no-print`}
            data-link
            onClick={() => state.set(askedAgain(run))}
          >
            Change its policies
          </button>
        </p>
        <div className="no-print">
          <ViewSwitch
            value={view}
            both={!phone}
            onChange={(next) =>
              state.set({ view: next === (phone ? 'chart' : 'both') ? null : next })
            }
          />
        </div>
      </div>
      {view !== 'table' && <Tradeoff result={result} state={state} />}
      <PolicyTable run={run} result={result} figures={view !== 'chart'} />
      {result.stores > 1 && <StoresTable result={result} state={state} />}
      <OneItem run={run} result={result} state={state} />
    </>
  );
}

/** Its parameters, to change and run again. */
function askedAgain({ id, asked }: Run, without: (draft: Draft) => boolean = () => false) {
  const { policies, storeIds, itemIds, from, to } = asked;
  return {
    policies: writePolicies(draftsOf(policies ?? []).filter((draft) => !without(draft))),
    stores: (storeIds ?? []).join(','),
    items: (itemIds ?? []).join(','),
    from: from ?? null,
    to: to ?? null,
    again: id,
  };
}

/** Why nothing could be replayed, and what to do. */
function NothingPlayed({ run, state, onHistory }: Props) {
  const reasons = (run.outcome?.failed ?? []).map(({ why }) => why);
  const uncounted = reasons.some((why) => why.startsWith('It was not counted'));
  const policies = run.asked.policies ?? [];
  return (
    <EmptyState
      icon={IconZoomQuestion}
      title="Nothing could be replayed"
      text={
        uncounted
          ? 'What was really ordered can only be followed from a count on, and nothing was counted before the first of these days. Choose a later first day, or compare the policies without it.'
          : 'No chosen item was sold in these stores and days, or it cannot be ordered. Choose others.'
      }
      action={
        uncounted && policies.some(({ actual }) => actual) ? (
          <Button
            variant="default"
            onClick={() => state.set(askedAgain(run, ({ actual }) => actual))}
          >
            Leave out what was really ordered
          </Button>
        ) : (
          reasons.length > 0 && (
            <Button variant="default" onClick={onHistory}>
              See which and why
            </Button>
          )
        )
      }
    />
  );
}
