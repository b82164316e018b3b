import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { numberField } from '#/ui/numberField';
import { RefSelect } from './FieldInput';
import classes from './SubTable.module.css';
import type { Field, SubColumn, SubRow } from './types';
import { columnReadsAs } from './values';

interface Props {
  field: Field & { kind: 'table' };
  rows: readonly SubRow[];
  errors: Record<string, string>;
  readOnly?: boolean;
  onChange(rows: SubRow[]): void;
}

/** A few lines inside a record: tills of a store, root items of a POS item. */
export function SubTable({ field, rows, errors, readOnly, onChange }: Props) {
  const title = useId();
  const blank = Object.fromEntries(field.columns.map(({ name }) => [name, null]));
  const general = errors[field.name];

  const set = (i: number, name: string, value: string | null) =>
    onChange(rows.map((row, j) => (j === i ? { ...row, [name]: value } : row)));

  return (
    <fieldset className={classes.sub} aria-labelledby={title}>
      <div className={classes.head}>
        <span id={title} className={classes.label}>
          {field.label}
        </span>
        {!readOnly && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => onChange([...rows, blank])}
            data-path={field.name}
          >
            {field.addLabel}
          </Button>
        )}
      </div>
      {field.hint && <p className={classes.hint}>{field.hint}</p>}
      {rows.length === 0 ? (
        <p className={classes.none}>{field.empty ?? 'None.'}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              {field.columns.map(({ name, label, width, kind }) => (
                <th key={name} style={{ width }} data-right={kind === 'decimal' || undefined}>
                  {label}
                </th>
              ))}
              {!readOnly && (
                <th className={classes.remove}>
                  <span className="sr-only">Remove</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
              <tr key={i}>
                {field.columns.map((column) => (
                  <td key={column.name}>
                    <Cell
                      column={column}
                      path={`${field.name}.${i}.${column.name}`}
                      line={i + 1}
                      value={row[column.name] ?? null}
                      error={errors[`${field.name}.${i}.${column.name}`]}
                      readOnly={readOnly}
                      set={(value) => set(i, column.name, value)}
                    />
                  </td>
                ))}
                {!readOnly && (
                  <td className={classes.remove}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size="lg"
                      aria-label={`Remove line ${i + 1}`}
                      onClick={() => onChange(rows.filter((_, j) => j !== i))}
                    >
                      <IconTrash size={17} stroke={1.6} />
                    </ActionIcon>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {general && (
        <p className={classes.error} role="alert">
          {general}
        </p>
      )}
    </fieldset>
  );
}

interface CellProps {
  column: SubColumn;
  path: string;
  line: number;
  value: string | null;
  error?: string;
  readOnly?: boolean;
  set(value: string | null): void;
}

function Cell({ column, path, line, value, error, readOnly, set }: CellProps) {
  const common = {
    'aria-label': `${column.label}, line ${line}`,
    'data-path': path,
    error,
    readOnly,
  };
  if (column.kind === 'ref') {
    return <RefSelect {...common} of={column.of ?? ''} value={value} set={set} />;
  }
  return (
    <TextInput
      {...common}
      value={value ?? ''}
      {...(column.kind === 'decimal' && numberField(columnReadsAs(column)))}
      classNames={{ input: column.kind === 'decimal' ? classes.number : undefined }}
      autoComplete="off"
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}
