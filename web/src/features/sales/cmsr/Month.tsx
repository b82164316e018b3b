import { amount, day } from '#/ui/format';
import type { CmsrDay, Content, Figure, Layout } from './api';
import classes from './Cmsr.module.css';

interface Props {
  content: Content;
  columns: Layout['columns'];
  /** Opens a day to close or correct it. */
  onDay?: ((day: CmsrDay) => void) | undefined;
}

const joinWords = (columns: Layout['columns']) => columns.map(({ title }) => title).join(', ');

/** The note below a date. */
function noteOf(one: CmsrDay): string {
  if (one.closed) return 'closed';
  if (one.contradicted) return 'marked closed, but was open';
  const { settled = 0, expected = 0 } = one;
  if (one.missing && expected > 1) return `${settled} of ${expected} readings`;
  if (one.waiting > 0) return 'not verified';
  if (one.missing) return 'no Z-reading';
  if (one.readOn) return `in the reading of ${day(one.readOn)}`;
  if (one.doubled?.some(({ open }) => open)) return 'came twice';
  return Object.keys(one.corrections).length > 0 ? 'corrected' : '';
}

/** The columns in which every day is zero; none of a month without figures. */
function emptyColumns(content: Content, columns: Layout['columns']): Layout['columns'] {
  const empty = columns.filter(
    ({ figure }) =>
      content.total[figure] === 0 &&
      content.days.every((one) => one.figures[figure] === 0 && !(figure in one.corrections)),
  );
  return empty.length < columns.length ? empty : [];
}

/**
 * One row per day, in the lessor's columns, with sums. Columns without figures are on paper only: on screen they are
 * named below the table.
 */
export function Month({ content, columns, onDay }: Props) {
  const empty = new Set(emptyColumns(content, columns).map(({ figure }) => figure));
  const onPaper = (figure: Figure) => empty.has(figure) || undefined;
  const shown = columns.length - empty.size;
  const width = shown > 14 ? 'most' : shown > 11 ? 'many' : undefined;
  return (
    <section className={classes.scroll} tabIndex={0} aria-label="Sales by day">
      <table className={classes.table} data-width={width}>
        <thead>
          <tr>
            <th scope="col">Date</th>
            {columns.map(({ figure, title }) => (
              <th key={figure} scope="col" data-paper={onPaper(figure)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {content.days.map((one: CmsrDay) => (
            <tr key={one.date} data-missing={one.missing || undefined}>
              <th
                scope="row"
                title={[one.reason, ...(one.reasons ?? [])].join(' ').trim() || undefined}
              >
                {onDay ? (
                  <button type="button" onClick={() => onDay(one)} aria-label={day(one.date)}>
                    {day(one.date)}
                  </button>
                ) : (
                  day(one.date)
                )}
                {noteOf(one) && <small>{noteOf(one)}</small>}
              </th>
              {columns.map(({ figure }) => (
                <td
                  key={figure}
                  data-paper={onPaper(figure)}
                  data-corrected={figure in one.corrections || undefined}
                >
                  {one.readings === 0 && (one.missing || one.closed || one.readOn)
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
              <td key={figure} data-paper={onPaper(figure)}>
                {amount(content.total[figure])}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
      {empty.size > 0 && (
        <p className={`${classes.empty} no-print`}>
          Nothing in {joinWords(columns.filter(({ figure }) => empty.has(figure)))}. Printed and
          exported all the same.
        </p>
      )}
    </section>
  );
}
