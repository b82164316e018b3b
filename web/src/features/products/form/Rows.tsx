import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { SubRow } from '#/form/types';
import type { RecordForm } from '#/form/useRecordForm';
import classes from './UnitsSection.module.css';

/** A heading above rows that can be added and removed. */
export function Rows(props: {
  title: string;
  hint: string;
  addLabel: string;
  path: string;
  count: number;
  readOnly?: boolean;
  onAdd(): void;
  children: ReactNode;
}) {
  return (
    <fieldset className={classes.rows} aria-label={props.title}>
      <div className={classes.head}>
        <span className={classes.title}>{props.title}</span>
        {!props.readOnly && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={15} aria-hidden />}
            data-path={props.path}
            onClick={props.onAdd}
          >
            {props.addLabel}
          </Button>
        )}
      </div>
      <p className={classes.hint}>{props.hint}</p>
      {props.count > 0 && <div className={classes.list}>{props.children}</div>}
    </fieldset>
  );
}

export function Remove({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
      <IconTrash size={17} stroke={1.6} />
    </ActionIcon>
  );
}

/** The rows of a table field, and how to change them. */
export function useRows(form: RecordForm['form'], name: string) {
  const rows = (form.values[name] ?? []) as SubRow[];
  const put = (next: SubRow[]) => {
    form.setFieldValue(name, next);
    // Errors are stored by line number, which has changed.
    const rest = Object.entries(form.errors).filter(([path]) => !path.startsWith(`${name}.`));
    form.setErrors(Object.fromEntries(rest));
  };
  return {
    rows,
    add: (row: SubRow) => put([...rows, row]),
    set: (i: number, change: SubRow) =>
      put(rows.map((row, j) => (j === i ? { ...row, ...change } : row))),
    remove: (i: number) => put(rows.filter((_, j) => j !== i)),
  };
}
