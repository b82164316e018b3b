import { type Added, AddedItems } from '#/documents/AddedItems';
import classes from './New.module.css';
import type { NewDocument } from './useNewDocument';

interface Props<L extends Added> {
  lines: L[];
  created: NewDocument;
  onChange(change: (now: L[]) => L[]): void;
}

/** The lines of a new document and their errors. */
export function NewLines<L extends Added>({ lines, created, onChange }: Props<L>) {
  const { problem, errorOf } = created;
  return (
    <>
      {errorOf('lines') && <p className={classes.error}>{errorOf('lines')}</p>}
      <AddedItems
        items={lines}
        errorOf={(at) =>
          problem?.fields.find(({ field }) => field.startsWith(`lines.${at}.`))?.message
        }
        onRemove={(gone) => onChange((now) => now.filter((line) => line.key !== gone))}
      />
    </>
  );
}
