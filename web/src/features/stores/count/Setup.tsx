import { NativeSelect } from '@mantine/core';
import { memo } from 'react';
import type { Name } from '#/api/names';
import { DateInput } from '#/ui/DateInput';
import { addDays, isDay, today } from '#/ui/dates';
import { shortDay } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { SESSION_WORD } from './clock';
import classes from './Setup.module.css';
import type { Scope, Session, Settings } from './types';

interface Props {
  stores: readonly Name[];
  scope: Scope;
  settings: Settings;
  now: Date;
  onChange(change: Partial<Scope>): void;
}

/** Which store, which day, which count. */
export const Setup = memo(function Setup({ stores, scope, settings, now, onChange }: Props) {
  const days = [today(now), addDays(today(now), -1)] as const;
  const other = !days.includes(scope.date);
  const dates = [
    { value: days[0], label: `Today, ${shortDay(days[0])}` },
    { value: days[1], label: `Yesterday, ${shortDay(days[1])}` },
    ...(other ? [{ value: scope.date, label: shortDay(scope.date) }] : []),
  ];
  const sessions: Session[] = settings.autoSessionByTime
    ? ['opening', 'closing']
    : ['', 'opening', 'closing'];
  return (
    <div className={classes.setup}>
      {stores.length === 1 ? (
        <p className={classes.store}>{label(stores[0])}</p>
      ) : (
        <NativeSelect
          aria-label="Store"
          className={classes.choose}
          classNames={{ input: classes.chooseInput }}
          value={scope.storeId}
          onChange={(event) => onChange({ storeId: event.currentTarget.value })}
          data={stores.map((store) => ({ value: store.id, label: label(store) }))}
        />
      )}
      <div className={classes.when}>
        <Segments
          label="Day"
          value={scope.date}
          options={dates}
          onChange={(date) => onChange({ date })}
        />
        <Segments
          label="Session"
          value={scope.session}
          options={sessions.map((value) => ({ value, label: SESSION_WORD[value] }))}
          onChange={(session) => onChange({ session })}
        />
        {!settings.restrictDate && (
          <DateInput
            className={classes.date}
            aria-label="Another day"
            max={days[0]}
            value={scope.date}
            onChange={(date) => isDay(date) && onChange({ date })}
          />
        )}
      </div>
    </div>
  );
});

function label(store: Name | undefined): string {
  if (!store) return '';
  return store.code && store.code !== store.name ? `${store.name} (${store.code})` : store.name;
}
