import { count, money } from '#/ui/format';
import type { ZReading } from '../api';
import classes from './Review.module.css';

const SOURCE: Readonly<Record<string, string>> = {
  file: 'File',
  api: 'API',
  w3p: 'W3P',
  bigquery: 'BigQuery',
};

/** The day's imported sales next to the reading's, with the difference. */
export function Sales({ reading }: { reading: ZReading }) {
  const { imported, checks, uncompared } = reading;
  const against = checks.filter(({ name }) => name.startsWith('receipts'));
  return (
    <section className={classes.group} aria-label="Imported sales">
      <h2>Imported sales of the day</h2>
      {imported.length === 0 ? (
        <p className={classes.says}>No sales of this day were imported yet.</p>
      ) : (
        <>
          <div className={classes.scroll}>
            <table className={classes.sales}>
              <thead>
                <tr>
                  <th scope="col">Source</th>
                  <th scope="col">Till</th>
                  <th scope="col">Receipts</th>
                  <th scope="col">Gross</th>
                  <th scope="col">Net</th>
                </tr>
              </thead>
              <tbody>
                {imported.map((row) => (
                  <tr key={`${row.source}${row.terminalId}`}>
                    <td>{SOURCE[row.source] ?? row.source}</td>
                    <td>{row.terminalId || 'All'}</td>
                    {/* A file may have totals of a day, without receipts. */}
                    <td className="num">{row.receipts > 0 ? count(row.receipts) : '–'}</td>
                    <td className="num">{money(row.gross)}</td>
                    <td className="num">{money(row.net)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {uncompared && <p className={classes.says}>Not compared yet: {uncompared}.</p>}
          {against.map(({ name, holds, words }) => (
            <p key={name} className={holds ? classes.agrees : classes.fault}>
              {holds ? `✓ ${words} The imported receipts say the same.` : `✗ ${words}`}
            </p>
          ))}
        </>
      )}
    </section>
  );
}
