import { plural, qty } from '#/ui/format';
import type { Found } from './api';
import classes from './Connectors.module.css';

/** The result of a trial: the request, the first lines, their problems. */
export function Trial({ found }: { found: Found }) {
  return (
    <>
      {found.problem && (
        <p role="alert" style={{ color: 'var(--danger)', margin: 0 }}>
          {found.problem}
        </p>
      )}
      {found.lines.length > 0 && (
        <>
          <h3>
            The first {found.lines.length} of {plural(found.lineCount, 'line')}
          </h3>
          <section className={classes.scroll} aria-label="Lines that would be read" tabIndex={0}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th>Day</th>
                  <th>Store</th>
                  <th>Item</th>
                  <th>Receipt</th>
                  <th className={classes.num}>Quantity</th>
                  <th className={classes.num}>Net</th>
                </tr>
              </thead>
              <tbody>
                {found.lines.map((line, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
                  <tr key={at}>
                    <td>{line.day}</td>
                    <td>{line.storeName ?? `${line.store} (not known)`}</td>
                    <td>{line.itemKnown ? line.item : `${line.item} (not mapped)`}</td>
                    <td>{line.receipt}</td>
                    <td className={classes.num}>{qty(line.qty)}</td>
                    <td className={classes.num}>{String(line.net)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
      {found.problems.length > 0 && (
        <ul className={classes.log} aria-label="What is wrong">
          {found.problems.map((words) => (
            <li key={words} data-level="error">
              {words}
            </li>
          ))}
        </ul>
      )}
      {found.log.length > 0 && (
        <details>
          <summary className={classes.quiet}>What was asked</summary>
          <ol className={classes.log}>
            {found.log.map((words, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages may repeat
              <li key={at}>{words}</li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
