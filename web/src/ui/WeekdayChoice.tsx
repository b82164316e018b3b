import classes from './WeekdayChoice.module.css';
import { EVERY_DAY, WEEKDAYS, WORK_DAYS } from './weekdays';

const SHORTCUTS = [
  { label: 'Every day', days: EVERY_DAY },
  { label: 'Monday to Friday', days: WORK_DAYS },
  { label: 'Mondays', days: 1 },
] as const;

interface Props {
  /** One bit per day, Monday the lowest. */
  value: number;
  disabled?: boolean;
  error?: string | null;
  /** The field's name, by which it is found to be focused. */
  'data-path'?: string;
  onChange(days: number): void;
}

/** Days of the week. */
export function WeekdayChoice({ value, disabled, error, onChange, ...rest }: Props) {
  return (
    <fieldset className={classes.days} disabled={disabled} {...rest}>
      <legend>Days</legend>
      <div className={classes.row}>
        {WEEKDAYS.map((name, i) => (
          <button
            key={name}
            type="button"
            aria-pressed={(value & (1 << i)) !== 0}
            onClick={() => onChange(value ^ (1 << i))}
          >
            {name}
          </button>
        ))}
      </div>
      <div className={classes.shortcuts}>
        {SHORTCUTS.map(({ label, days }) => (
          <button key={label} type="button" onClick={() => onChange(days)}>
            {label}
          </button>
        ))}
      </div>
      {error && <p className={classes.error}>{error}</p>}
    </fieldset>
  );
}
