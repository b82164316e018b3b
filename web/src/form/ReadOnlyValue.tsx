import { useMemo } from 'react';
import { useNameOf, useNamesOf } from '#/api/names';
import { DOT, day, inFull, MISSING } from '#/ui/format';
import classes from './ReadOnlyValue.module.css';
import type { Field, Wire } from './types';

/** A field's value in read-only forms. */
export function ReadOnlyValue({ field, value }: { field: Field; value: unknown }) {
  const named = field.kind === 'ref' || field.kind === 'refs';
  const names = useNameOf(named ? field.of : '', named);
  if (value === null || value === undefined || value === '') return <span>{MISSING}</span>;
  if (field.kind === 'ref') return <span>{names.get(String(value))?.name ?? String(value)}</span>;
  if (field.kind === 'refs') {
    return <span>{(value as string[]).map((id) => names.get(id)?.name ?? id).join(', ')}</span>;
  }
  if (field.kind === 'parent' || field.kind === 'enum' || field.kind === 'choice') {
    const option = field.options.find((one) => one.value === value);
    return <span>{option?.label.trim() ?? String(value)}</span>;
  }
  if (field.kind === 'boolean') return <span>{value ? 'Yes' : 'No'}</span>;
  if (field.kind === 'date') return <span>{day(String(value))}</span>;
  if (field.kind === 'table') return <Lines field={field} lines={value as Wire[]} />;
  return <span>{typeof value === 'number' ? inFull(value) : String(value)}</span>;
}

/** The lines of a list inside a record: «Rice · 2». */
function Lines({ field, lines }: { field: Field & { kind: 'table' }; lines: readonly Wire[] }) {
  const kinds = useMemo(
    () => field.columns.flatMap(({ kind, of }) => (kind === 'ref' && of ? [of] : [])),
    [field],
  );
  const nameOf = useNamesOf(kinds);
  if (lines.length === 0) return <span>{MISSING}</span>;
  return (
    <ol className={classes.lines}>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <li key={i}>
          {field.columns
            .map(({ name, of }) => {
              const value = line[name];
              if (of) return nameOf(of, value);
              return typeof value === 'number' ? inFull(value) : value;
            })
            .filter(Boolean)
            .join(DOT)}
        </li>
      ))}
    </ol>
  );
}
