import { Button } from '@mantine/core';
import documentClasses from '#/documents/Document.module.css';
import { qty } from '#/ui/format';
import classes from './Sheet.module.css';
import { type BelowZeroRow, rowName, type SheetRow } from './sheet';

/** The name of a row, which says of what has no lot that it has none. */
const nameOf = (row: SheetRow) => (row.lot ? rowName(row) : `${row.name}, without lot`);

const figureOf = ({ row, book }: BelowZeroRow) => `${nameOf(row)}: ${qty(book)} ${row.uomCode}`;

interface Props {
  below: readonly BelowZeroRow[];
  posted: boolean;
  /** Absent where nothing can be counted. */
  onZero?(row: SheetRow): void;
}

/** Names what is below zero in the ledger and was not counted. */
export function BelowZero({ below, posted, onZero }: Props) {
  if (below.length === 0) return null;
  return (
    <div className={documentClasses.notice} role="status">
      <p>
        {posted
          ? 'Not counted, and left below zero:'
          : 'Below zero in the ledger and not counted. If nothing is there, count it as zero; otherwise it stays below zero.'}
      </p>
      <ul className={classes.refused}>
        {below.map((one) => (
          <li key={one.row.key}>
            <span>{figureOf(one)}</span>
            {onZero && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Count ${nameOf(one.row)} as zero`}
                onClick={() => onZero(one.row)}
              >
                Count as zero
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The same, before it is posted. */
export function BelowZeroNote({ below }: { below: readonly BelowZeroRow[] }) {
  if (below.length === 0) return null;
  return <p>Stays below zero, since it is not counted: {below.map(figureOf).join('; ')}.</p>;
}
