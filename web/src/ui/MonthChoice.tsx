import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { addMonths } from './dates';
import classes from './MonthChoice.module.css';

/** `October 2026` of `2026-10`. */
export function monthName(month: string): string {
  const [year, at] = month.split('-').map(Number);
  const date = new Date(Date.UTC(year ?? 2000, (at ?? 1) - 1, 1));
  return date.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** The month before that of a day. */
export const lastMonth = (day: string) => addMonths(`${day.slice(0, 7)}-01`, -1).slice(0, 7);

/** Whether the text is a month: `2026-10`. */
export const isMonth = (text: string) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

interface Props {
  value: string;
  onChange(month: string): void;
}

/** One month, with buttons to the previous and the next. */
export function MonthChoice({ value, onChange }: Props) {
  const step = (n: number) => onChange(addMonths(`${value}-01`, n).slice(0, 7));
  return (
    <fieldset className={classes.month} aria-label="Month">
      <ActionIcon variant="default" size={32} aria-label="Month before" onClick={() => step(-1)}>
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <input
        type="month"
        aria-label="Month"
        value={value}
        onChange={(event) => {
          if (isMonth(event.currentTarget.value)) onChange(event.currentTarget.value);
        }}
      />
      <ActionIcon variant="default" size={32} aria-label="Month after" onClick={() => step(1)}>
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </fieldset>
  );
}
