import { amount, day, shortDay } from '#/ui/format';
import type { CmsrDay, Content, Layout } from './api';
import classes from './Cmsr.module.css';

interface Props {
  content: Content;
  columns: Layout['columns'];
  /** Opens a day to close or correct it. */
  onDay?: ((day: CmsrDay) => void) | undefined;
}

/** The note next to a date. */
function noteOf(one: CmsrDay): string {
  if (one.closed) return 'closed';
  if (one.contradicted) return 'marked closed, but was open';
  const { settled = 0, expected = 0 } = one;
  if (one.missing && expected > 1) return `${settled} of ${expected} readings`;
  if (one.waiting > 0) return 'not verified';
  if (one.missing) return 'no Z-reading';
  if (one.doubled?.some(({ open }) => open)) return 'came twice';
  return Object.keys(one.corrections).length > 0 ? 'corrected' : '';
}

/** One row per day, in the lessor's columns, with sums. */
export function Month({ content, columns, onDay }: Props) {
  return (
    <section className={classes.scroll} tabIndex={0} aria-label="Sales by day">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Date</th>
            {columns.map(({ figure, title }) => (
              <th key={figure} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {content.days.map((one) => (
            <tr key={one.date} data-missing={one.missing || undefined}>
              <th
                scope="row"
                title={[one.reason, ...(one.reasons ?? [])].join(' ').trim() || undefined}
              >
                {onDay ? (
                  <button type="button" onClick={() => onDay(one)} aria-label={day(one.date)}>
                    {shortDay(one.date)}
                  </button>
                ) : (
                  shortDay(one.date)
                )}
                {noteOf(one) && <small>{noteOf(one)}</small>}
              </th>
              {columns.map(({ figure }) => (
                <td key={figure} data-corrected={figure in one.corrections || undefined}>
                  {one.readings === 0 && (one.missing || one.closed)
                    ? '–'
                    : amount(one.figures[figure])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            {columns.map(({ figure }) => (
              <td key={figure}>{amount(content.total[figure])}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
