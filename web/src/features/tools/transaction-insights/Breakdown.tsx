import type { ReactNode } from 'react';
import { ExportButton } from '#/ui/ExportButton';
import { change, count, MISSING, money } from '#/ui/format';
import { Panel } from '#/ui/Page';
import type { TicketFigures } from './api';
import classes from './Insights.module.css';
import { changeOf } from './labels';

export interface Part {
  id: string;
  name: ReactNode;
  figures: TicketFigures;
  before?: TicketFigures | null;
}

interface Props {
  title: string;
  what: string;
  rows: readonly Part[];
  compared: boolean;
  file?: (format: 'csv' | 'xlsx') => string;
}

/** The same figures by store or by part of the day. */
export function Breakdown({ title, what, rows, compared, file }: Props) {
  const of = (row: Part, read: (figures: TicketFigures) => number | null | undefined) =>
    compared && (
      <small>{change(changeOf(read(row.figures), row.before && read(row.before)))}</small>
    );
  return (
    <Panel title={title} aside={file && <ExportButton href={file} />}>
      <section className={classes.scroll} tabIndex={0} aria-label={`${title}, table`}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{what}</th>
              {['Tickets', 'Net sales', 'Average ticket', 'Items a ticket', 'An open hour'].map(
                (head) => (
                  <th key={head} scope="col" className={classes.number}>
                    {head}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">{row.name}</th>
                <td className={classes.number}>
                  {count(row.figures.tickets)} {of(row, (one) => one.tickets)}
                </td>
                <td className={classes.number}>
                  {money(row.figures.net)} {of(row, (one) => one.net)}
                </td>
                <td className={classes.number}>
                  {money(row.figures.average)} {of(row, (one) => one.average)}
                </td>
                <td className={classes.number}>
                  {row.figures.itemsATicket?.toFixed(2) ?? MISSING}{' '}
                  {of(row, (one) => one.itemsATicket)}
                </td>
                <td className={classes.number}>
                  {row.figures.anHour?.toFixed(2) ?? MISSING} {of(row, (one) => one.anHour)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}
