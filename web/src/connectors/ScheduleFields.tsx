import { Switch, TextInput } from '@mantine/core';
import { WeekdayChoice } from '#/ui/WeekdayChoice';
import type { Schedule } from './api';
import classes from './Connectors.module.css';

interface Props {
  schedule: Schedule;
  /** The time of day as it is typed. */
  time: string;
  errorOf(field: string): string | null;
  onSchedule(schedule: Schedule): void;
  onTime(time: string): void;
}

/** When a connector runs by itself. */
export function ScheduleFields({ schedule, time, errorOf, onSchedule, onTime }: Props) {
  return (
    <>
      <h3>When</h3>
      <div className={classes.fields}>
        <Switch
          label="Runs by itself"
          checked={schedule.enabled}
          mt={28}
          onChange={(event) => onSchedule({ ...schedule, enabled: event.currentTarget.checked })}
        />
        <TextInput
          type="time"
          label="At"
          value={time}
          disabled={!schedule.enabled}
          data-path="schedule.minutes"
          error={errorOf('schedule.minutes')}
          onChange={(event) => onTime(event.currentTarget.value)}
        />
        <div className={classes.wide}>
          <WeekdayChoice
            value={schedule.weekdays}
            disabled={!schedule.enabled}
            data-path="schedule.weekdays"
            error={errorOf('schedule.weekdays')}
            onChange={(weekdays) => onSchedule({ ...schedule, weekdays })}
          />
        </div>
      </div>
    </>
  );
}
