import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { to } from '#/paths';
import { Dialog } from '#/ui/Dialog';
import { day, moment, money } from '#/ui/format';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import { AbsenceDialog, absenceChanged } from './AbsenceDialog';
import { type CalendarDay, deleteAbsence, type TillOfDay } from './api';
import classes from './ZReading.module.css';

const STATES: Readonly<Record<TillOfDay['state'], { label: string; tone: Tone }>> = {
  verified: { label: 'Verified', tone: 'ok' },
  waiting: { label: 'To review', tone: 'warn' },
  disputed: { label: 'Disputed', tone: 'danger' },
  missing: { label: 'Missing', tone: 'danger' },
  absent: { label: 'None exists', tone: 'neutral' },
};

const WHY: Readonly<Record<TillOfDay['why'], string>> = {
  sold: 'It sold something.',
  active: 'It is in use.',
  chain: 'Its counters skip this day.',
};

interface Props {
  storeId: string;
  storeName: string;
  cell: CalendarDay;
  onClose(): void;
}

/** The tills that must have a reading on a day, and what to do about each. */
export function DayDialog({ storeId, storeName, cell, onClose }: Props) {
  const { date, sold, tills } = cell;
  const [absent, setAbsent] = useState<string | null>(null);
  if (absent !== null)
    return (
      <AbsenceDialog
        storeId={storeId}
        terminalId={absent}
        date={date}
        onClose={() => setAbsent(null)}
      />
    );
  return (
    <Dialog opened title={`${storeName}, ${day(date)}`} keep="Close" size={520} onClose={onClose}>
      <p>
        {tills.settled} of {tills.expected} tills complete.
        {sold != null && ` Imported net sales: ${money(sold)}.`}
      </p>
      {tills.reasons.length > 0 && <p>{tills.reasons.join(' ')}</p>}
      <ul className={classes.gaps}>
        {tills.tills.map((till) => (
          <Till
            key={till.terminalId}
            till={till}
            at={{ storeId, date, terminalId: till.terminalId }}
            onAbsent={() => setAbsent(till.terminalId)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface TillProps {
  till: TillOfDay;
  at: { storeId: string; date: string; terminalId: string };
  onAbsent(): void;
}

function Till({ till, at, onAbsent }: TillProps) {
  const mayCreate = useCan('sales/zReading', 'create');
  const mayOverride = useCan('sales/zReading', 'override');
  const saving = useSave();
  const { absence, coveredOn, readings, state, terminalId } = till;
  const remove = () =>
    void saving.run(() => deleteAbsence(at), { said: 'Removed', onSaved: absenceChanged });
  return (
    <li>
      <StatusPill tone={STATES[state].tone}>{STATES[state].label}</StatusPill>
      <span>
        <b>{terminalId ? `Till ${terminalId}` : 'No till known'}</b>{' '}
        {absence
          ? `${absence.reason} (${absence.by.name}, ${moment(absence.at)})`
          : coveredOn
            ? `Covered by the reading of ${day(coveredOn)}.`
            : WHY[till.why]}
        <SaveProblem save={saving} />
      </span>
      {readings[0] !== undefined && (
        <Link to={to('salesZReadingOne', { id: readings[0] })} className={classes.link}>
          Open
        </Link>
      )}
      {state === 'missing' && mayCreate && (
        <Link to={to('salesZReadingOne', { id: 'new' }, at)} className={classes.link}>
          Type it in
        </Link>
      )}
      {state === 'missing' && mayOverride && (
        <Button size="compact-sm" variant="default" onClick={onAbsent}>
          No reading exists…
        </Button>
      )}
      {absence && mayOverride && (
        <Button size="compact-sm" variant="default" loading={saving.busy} onClick={remove}>
          Remove record
        </Button>
      )}
    </li>
  );
}
