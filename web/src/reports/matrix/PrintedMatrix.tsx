import { linesOf, type MatrixFoot } from './feet';
import { type MatrixProps, type MatrixRow, written } from './Matrix';
import classes from './Matrix.module.css';
import type { MatrixColumn } from './types';

/** How many growing columns fit a landscape sheet. */
const ON_A_SHEET = 12;

/** The columns of each sheet: fixed ones on the first, sums on the last. */
export function sheets<R>(
  columns: readonly MatrixColumn<R>[],
  total: MatrixColumn<R> | null,
): MatrixColumn<R>[][] {
  const fixed = columns.filter(({ grow, sortable }) => !grow && sortable !== false);
  const growing = columns.filter(({ grow }) => grow);
  const out: MatrixColumn<R>[][] = [];
  for (let at = 0; at === 0 || at < growing.length; at += ON_A_SHEET) {
    out.push([...(at === 0 ? fixed : []), ...growing.slice(at, at + ON_A_SHEET)]);
  }
  if (total) out.at(-1)?.push(total);
  return out;
}

/** The whole table for paper: every row, the columns split over sheets. */
export function PrintedMatrix<R extends MatrixRow>(props: MatrixProps<R>) {
  return (
    <>
      {sheets(props.columns, props.total).map((columns) => (
        <table key={columns[0]?.id ?? 'none'} className={classes.printed}>
          <thead>
            <tr>
              <th data-text>{props.rowsAre}</th>
              {columns.map((column) => (
                <th key={column.id} data-text={column.align === 'left' || undefined}>
                  {column.label}
                  {column.sub && <small>{column.sub}</small>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {linesOf(props.rows, props.feet ?? []).map(({ row, foot }) =>
              foot ? (
                <Sums
                  key={`sum ${foot.id}`}
                  label={foot.label}
                  columns={columns.map(({ id }) => columnOf(foot, id))}
                />
              ) : (
                <tr key={row.id}>
                  <th data-text>{row.name}</th>
                  {columns.map((column) => (
                    <td key={column.id} data-text={column.align === 'left' || undefined}>
                      {written(column, column.value(row))}
                    </td>
                  ))}
                </tr>
              ),
            )}
            {props.foot !== null && <Sums label={props.foot} columns={columns} />}
          </tbody>
        </table>
      ))}
    </>
  );
}

/** A column of a sum row. */
const columnOf = <R,>({ columns, total }: MatrixFoot<R>, id: string) =>
  total?.id === id ? total : columns.find((column) => column.id === id);

interface SumsProps<R> {
  label: string;
  columns: readonly (MatrixColumn<R> | undefined)[];
}

function Sums<R>({ label, columns }: SumsProps<R>) {
  return (
    <tr>
      <th data-text>{label}</th>
      {columns.map((column, i) => (
        <td key={column?.id ?? i}>
          <strong>{column?.foot}</strong>
        </td>
      ))}
    </tr>
  );
}
