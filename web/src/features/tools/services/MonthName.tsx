import classes from './MonthName.module.css';

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const monthLabel = (month: string): string => MONTH.format(new Date(`${month}T00:00:00Z`));

/** «November 2026», as wide as the longest, so that the buttons next to it do not move. */
export function MonthName({ month }: { month: string }) {
  return (
    <strong className={classes.month} aria-live="polite">
      {monthLabel(month)}
    </strong>
  );
}
