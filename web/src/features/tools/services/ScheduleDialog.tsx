import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { Dialog } from '#/ui/Dialog';
import { WeekdayChoice } from '#/ui/WeekdayChoice';
import { EVERY_DAY } from '#/ui/weekdays';
import { type Card, setSchedule } from './api';
import { clock, minutesOf, scheduleLabel } from './labels';
import classes from './Services.module.css';

/** 02:30, when stores are closed. */
const USUAL = 150;

type Kept = NonNullable<Card['schedule']>;

const LABELS = { schedule: 'Runs' };

/** A service's schedule: daily at a time, on chosen weekdays, or none. */
export function ScheduleDialog({ card, onClose }: { card: Card; onClose(): void }) {
  const now = card.schedule;
  const [enabled, setEnabled] = useState(now?.enabled ?? true);
  const [time, setTime] = useState(clock(now?.minutes ?? USUAL));
  const [weekdays, setWeekdays] = useState(now?.weekdays || EVERY_DAY);
  const [tried, setTried] = useState(false);
  const saving = useSave<Kept>({ revision: now?.revision ?? 0 });
  const minutes = minutesOf(time);
  const wrongTime = minutes === null ? 'Enter a time such as 02:30.' : null;
  const noDay = enabled && weekdays === 0 ? 'Choose at least one day.' : null;

  async function save(): Promise<void> {
    setTried(true);
    if (minutes === null || noDay) return;
    await saving.run(
      (revision) =>
        setSchedule(card.service, { enabled, minutes, weekdays, revision: revision ?? 0 }),
      { said: 'Schedule saved', onSaved: onClose },
    );
  }

  return (
    <Dialog
      opened
      title={`Schedule of ${card.title}`}
      confirm="Save schedule"
      keep="Cancel"
      busy={saving.busy}
      onConfirm={() => void save()}
      onClose={onClose}
    >
      <div className={classes.schedule}>
        <Switch
          label="Runs by itself"
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
          data-autofocus
        />
        <TextInput
          type="time"
          label="Time"
          description="The time in the stores, UTC+8"
          value={time}
          disabled={!enabled}
          error={tried && enabled ? wrongTime : null}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <WeekdayChoice value={weekdays} disabled={!enabled} onChange={setWeekdays} />
        <p className={classes.quiet} role="status">
          {noDay ?? (minutes !== null && `${scheduleLabel({ enabled, minutes, weekdays })}.`)}
        </p>
        <SaveProblem
          save={saving}
          of="fields"
          versions={(theirs) =>
            compare(
              LABELS,
              { schedule: scheduleLabel({ enabled, minutes: minutes ?? USUAL, weekdays }) },
              { schedule: scheduleLabel(theirs) },
            )
          }
          onTheirs={(theirs) => {
            setEnabled(theirs.enabled);
            setTime(clock(theirs.minutes));
            setWeekdays(theirs.weekdays);
            saving.setProblem(null);
          }}
        />
      </div>
    </Dialog>
  );
}
