import classes from './DatePickerHost.module.css';
import { isDay } from './dates';
import type { DateText } from './useDateText';

interface Props {
  date: DateText;
  value: string;
  min?: string | undefined;
  max?: string | undefined;
}

/** The browser's date field, unseen: only its calendar is used. */
export function DatePickerHost({ date, value, min, max }: Props) {
  return (
    <input
      ref={date.picker}
      type="date"
      tabIndex={-1}
      aria-hidden
      className={classes.host}
      value={isDay(value) ? value : ''}
      min={min}
      max={max}
      onChange={(event) => date.pick(event.currentTarget.value)}
    />
  );
}
