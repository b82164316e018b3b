import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCarrot, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Problem } from '#/api/problem';
import { useSave } from '#/form/useSave';
import type { TableState } from '#/table/useTableState';
import { RangeChoice } from '#/ui/DateRange';
import { addDays, today } from '#/ui/dates';
import { ErrorBox } from '#/ui/ErrorBox';
import { day } from '#/ui/format';
import { StoreFilter } from '#/ui/StoreFilter';
import { lastingError } from '#/ui/toast';
import { usePhone } from '#/ui/usePhone';
import { type Card, cancelRun, type Run, startRun } from '../api';
import { Doing } from '../RunState';
import {
  askOf,
  type Draft,
  type Faults,
  faultsOf,
  readGround,
  readPolicies,
  writePolicies,
} from './ask';
import { EstimateLine } from './EstimateLine';
import { PolicyRows } from './PolicyRows';
import classes from './Replay.module.css';

/** Past days, up to yesterday. */
const RANGES = [
  { key: '7', label: 'Last 7 days' },
  { key: '28', label: 'Last 4 weeks' },
  { key: '182', label: 'Last 26 weeks' },
  { key: '365', label: 'Last 12 months' },
] as const;
const USUAL = 'usual';
const USUAL_DAYS = 91;
/** Debounce before the estimate is requested, in ms. */
const PAUSE = 500;

interface Props {
  card: Card | undefined;
  /** The current run. */
  open: Run | undefined;
  state: TableState;
}

/** The next replay's parameters, its estimate, and the current run. */
export function AskPanel({ card, open, state }: Props) {
  const ground = readGround(state.get);
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => readPolicies(state.get('policies')));
  const saving = useSave();
  const { problem: refused } = saving;
  const [left, setLeft] = useState(false);
  const yesterday = addDays(today(), -1);
  const ranged = ground.from !== '';
  const faults = faultsOf(drafts);
  const wrong = Object.keys(faults).length > 0;
  const told: Faults = {
    ...(left && faults),
    ...Object.fromEntries((refused?.fields ?? []).map(({ field, message }) => [field, message])),
  };
  const phone = usePhone();
  const mayRun = card?.canRun !== false;

  const asking = JSON.stringify(askOf(ground, drafts));
  const [asked] = useDebouncedValue(asking, PAUSE);
  const ask = useMemo(
    () => (wrong || !mayRun || asked !== asking ? null : JSON.parse(asked)),
    [asked, asking, wrong, mayRun],
  );

  const keep = (next: readonly Draft[]) =>
    state.set({ policies: JSON.stringify(next) === USUAL_POLICIES ? null : writePolicies(next) });

  function change(next: readonly Draft[], whole = false): void {
    setDrafts(next);
    saving.setProblem(null);
    if (whole) keep(next);
  }

  async function start(): Promise<void> {
    setLeft(true);
    if (wrong) {
      const [first] = Object.keys(faults);
      document.querySelector<HTMLElement>(`[data-field="${first}"]`)?.focus();
      return;
    }
    await saving.run(() => startRun('replay', askOf(ground, drafts)), {
      said: 'Replay started',
      onSaved: () => state.set({ run: null, item: null }),
    });
  }

  const outside = (refused?.fields ?? []).filter(({ field }) => !/^policies\.\d/.test(field));
  const named = [
    { key: USUAL, label: 'Last 13 weeks', chosen: !ranged },
    ...RANGES.map(({ key, label }) => ({
      key,
      label,
      chosen: ground.from === addDays(yesterday, 1 - Number(key)) && ground.to === yesterday,
    })),
  ].toSorted(
    (a, b) =>
      Number(a.key.replace(USUAL, String(USUAL_DAYS))) -
      Number(b.key.replace(USUAL, String(USUAL_DAYS))),
  );

  const rows = (
    <PolicyRows
      drafts={drafts}
      faults={told}
      onChange={change}
      onLeave={() => {
        setLeft(true);
        keep(drafts);
      }}
    />
  );
  return (
    <section className={`${classes.ask} no-print`} aria-label="Next replay">
      <div className={classes.ground}>
        <RangeChoice
          value={ranged ? ground : { from: addDays(yesterday, 1 - USUAL_DAYS), to: yesterday }}
          // On a phone the dates need the space of the names.
          words={ranged ? `${day(ground.from)} – ${day(ground.to)}` : phone ? 'Last 13 weeks' : ''}
          named={named}
          onName={(key) =>
            state.set(
              key === USUAL
                ? { from: null, to: null }
                : { from: addDays(yesterday, 1 - Number(key)), to: yesterday },
            )
          }
          onChange={({ from, to }) =>
            state.set({
              from: from > yesterday ? yesterday : from,
              to: to > yesterday ? yesterday : to,
            })
          }
        />
        <StoreFilter
          value={ground.storeIds}
          onChange={(ids) => state.set({ stores: ids.join(',') })}
        />
        <StoreFilter
          kinds={['root-items']}
          all="All items"
          label="Items"
          icon={IconCarrot}
          value={ground.itemIds}
          onChange={(ids) => state.set({ items: ids.join(',') })}
        />
      </div>
      {phone ? (
        <details className={classes.folded} open={wrong || undefined}>
          <summary>Compared: {drafts.map(({ name }) => name).join(', ') || 'nothing yet'}</summary>
          {rows}
        </details>
      ) : (
        rows
      )}
      <div className={classes.foot}>
        {open ? (
          <div className={classes.doing}>
            <Doing run={open} />
          </div>
        ) : (
          <EstimateLine
            ask={ask}
            drafts={drafts}
            wrong={wrong && left}
            onRange={(days) => state.set({ from: addDays(yesterday, 1 - days), to: yesterday })}
            onLeaveOut={() =>
              change(
                drafts.filter(({ actual }) => !actual),
                true,
              )
            }
          />
        )}
        {open ? (
          <Button
            variant="default"
            disabled={!mayRun}
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            onClick={() =>
              void cancelRun(open).catch((error) => lastingError(Problem.of(error).message))
            }
          >
            Cancel replay
          </Button>
        ) : (
          <Button
            loading={saving.busy}
            disabled={!mayRun || drafts.length === 0}
            title={mayRun ? undefined : 'You may look at replays, not start them.'}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            onClick={() => void start()}
          >
            Start replay
          </Button>
        )}
      </div>
      {refused && (outside.length > 0 || refused.fields.length === 0) && (
        <ErrorBox focus>
          {outside.map(({ message }) => message).join(' ') || refused.message}
        </ErrorBox>
      )}
    </section>
  );
}

const USUAL_POLICIES = JSON.stringify(readPolicies(''));
