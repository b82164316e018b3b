import { day } from '#/ui/format';
import classes from './Sheet.module.css';
import { areasOf, type SheetRow } from './sheet';

/** The sheet on paper, with blanks to write in. The ledger's quantities are never on it. */
export function Paper({ rows }: { rows: readonly SheetRow[] }) {
  return (
    <div className={classes.paper} aria-hidden>
      {areasOf(rows).map((area) => (
        <table key={area.id}>
          <caption>{area.label}</caption>
          <thead>
            <tr>
              <th>Item</th>
              <th>Lot</th>
              <th>Expires</th>
              <th>Counted</th>
              <th>Unit</th>
              <th>Note</th>
            </tr>
          </thead>
          <tbody>
            {rows
              .filter((row) => row.area === area.id)
              .map((row) => (
                <tr key={row.key}>
                  <td>{row.name}</td>
                  <td>{row.lot}</td>
                  <td>{row.expiry ? day(row.expiry) : ''}</td>
                  <td data-blank />
                  <td>{row.uomCode}</td>
                  <td data-blank />
                </tr>
              ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}
