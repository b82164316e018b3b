import { Button, Select } from '@mantine/core';
import { IconCarrot, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import type { TableState } from '#/table/useTableState';
import { RangeChoice } from '#/ui/DateRange';
import { addDays, today } from '#/ui/dates';
import { day } from '#/ui/format';
import { StoreFilter } from '#/ui/StoreFilter';
import { lastingError } from '#/ui/toast';
import { usePhone } from '#/ui/usePhone';
import { type Card, cancelRun, type Run, startRun } from '../api';
import { askLabel } from '../labels';
import { Doing } from '../RunState';
import { askOf, readAsked } from './ask';
import type { ForecastDef } from './define';
import classes from './Forecast.module.css';

/** Ranges of training data, up to yesterday. */
const LEARN = [
  { key: '56', label: 'Last 8 weeks' },
  { key: '182', label: 'Last 26 weeks' },
  { key: '365', label: 'Last 12 months' },
  { key: '730', label: 'Last 2 years' },
] as const;
const USUAL = 'usual';
const USUAL_WORDS = 'Usual history';

interface Props {
  def: ForecastDef;
  card: Card | undefined;
  /** The current run. */
  open: Run | undefined;
  state: TableState;
}

/** The next run's parameters, and the current run. */
export function AskPanel({ def, card, open, state }: Props) {
  const asked = readAsked(def, state.get);
  const phone = usePhone();
  const stores = useNameOf('stores');
  const saving = useSave();
  const yesterday = addDays(today(), -1);
  const ranged = asked.from !== '';
  const named = [
    { key: USUAL, label: USUAL_WORDS, chosen: !ranged },
    ...LEARN.map(({ key, label }) => ({
      key,
      label,
      chosen: asked.from === addDays(yesterday, 1 - Number(key)) && asked.to === yesterday,
    })),
  ];

  const choices: ReactNode = (
    <>
      <StoreFilter
        value={asked.storeIds}
        onChange={(ids) => state.set({ stores: ids.join(',') })}
      />
      <StoreFilter
        kinds={['root-items']}
        all="All items"
        label="Items"
        icon={IconCarrot}
        value={asked.itemIds}
        onChange={(ids) => state.set({ items: ids.join(',') })}
      />
      <RangeChoice
        value={ranged ? asked : { from: addDays(yesterday, -364), to: yesterday }}
        // On a phone the dates need the space of the names.
        words={ranged ? `${day(asked.from)} – ${day(asked.to)}` : phone ? USUAL_WORDS : ''}
        named={named}
        onName={(key) =>
          state.set(
            key === USUAL
              ? { from: null, to: null }
              : { from: addDays(yesterday, 1 - Number(key)), to: yesterday },
          )
        }
        onChange={({ from, to }) => state.set({ from, to: to > yesterday ? yesterday : to })}
      />
      {def.methods.length > 1 && (
        <Select
          aria-label="Method"
          data={[...def.methods]}
          value={asked.method}
          onChange={(method) =>
            state.set({ method: method === def.methods[0]?.value ? null : method })
          }
          allowDeselect={false}
          className={classes.method}
        />
      )}
      <Select
        aria-label="How far ahead"
        data={def.horizons.map((days) => ({ value: String(days), label: `${days} days ahead` }))}
        value={String(asked.horizon)}
        onChange={(days) => state.set({ horizon: days === String(def.horizon) ? null : days })}
        allowDeselect={false}
        className={classes.horizon}
      />
    </>
  );
  const go = (
    <>
      {open ? (
        <Button
          variant="default"
          className={classes.go}
          loading={saving.busy}
          disabled={card?.canRun === false}
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          onClick={() =>
            void cancelRun(open).catch((error) => lastingError(Problem.of(error).message))
          }
        >
          Cancel run
        </Button>
      ) : (
        <Button
          className={classes.go}
          loading={saving.busy}
          disabled={card?.canRun === false}
          title={card?.canRun === false ? 'You may look at runs, not start them.' : undefined}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() =>
            void saving.run(() => startRun(def.service, askOf(def, asked)), {
              said: `${def.title} started`,
              onSaved: () => state.set({ run: null }),
            })
          }
        >
          Run now
        </Button>
      )}
    </>
  );

  return (
    <section className={`${classes.ask} no-print`} aria-label="Next run">
      <div className={classes.choices}>
        {phone ? (
          <details className={classes.folded}>
            <summary>
              {askLabel(
                { ...askOf(def, asked), horizon: asked.horizon },
                (id) => stores.get(id)?.name,
              )}
            </summary>
            <div className={classes.choices}>{choices}</div>
          </details>
        ) : (
          choices
        )}
        {go}
      </div>
      {open && <Doing run={open} />}
      <SaveProblem save={saving} of="fields" />
    </section>
  );
}
