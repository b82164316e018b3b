import { Button } from '@mantine/core';
import { useState } from 'react';
import { IN_FILE_ORDER } from '#/imports/columns';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { count, plural } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { salesApi } from '../api';
import { FIELDS, nameOf } from '../mapping';
import type { Batch, Field, RowProblem } from '../types';
import classes from './Problems.module.css';

/** The columns, with the file's names. */
const columnsOf = (batch: Batch): Column<RowProblem>[] => [
  { id: 'row', label: 'Row', value: ({ row }) => row, number: count, width: 80, sortable: false },
  {
    id: 'column',
    label: 'Column',
    value: ({ column }) => calledInFile(batch, column),
    width: 130,
    sortable: false,
    muted: true,
  },
  { id: 'value', label: 'Cell', value: ({ value }) => value, width: 200, sortable: false },
  {
    id: 'message',
    label: 'What is wrong',
    value: ({ message }) => message,
    primary: true,
    sortable: false,
  },
];

function calledInFile({ layout, mapping }: Batch, field: string | null | undefined) {
  const at = field ? mapping?.columns[field as Field] : undefined;
  const column = layout?.columns.find(({ index }) => index === at);
  if (column) return nameOf(column, mapping?.hasHeader, layout?.columns);
  return FIELDS.find(({ value }) => value === field)?.label ?? null;
}

/** Rows that cannot be posted, each with its problem. */
export function Problems({ batch, total }: { batch: Batch; total: number }) {
  const [open, setOpen] = useState(false);
  return (
    <Panel
      title={`${plural(total, 'row')} with problems`}
      aside={
        <div className={classes.actions}>
          <Button
            size="xs"
            variant="default"
            component="a"
            href={salesApi.problemsHref(batch.id)}
            download
          >
            Download
          </Button>
          <Button size="xs" variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide' : 'Show'}
          </Button>
        </div>
      }
    >
      <p className={classes.text}>
        They are left out. Correct them in the file and import it again, or post the rest now.
      </p>
      {open && <List batch={batch} />}
    </Panel>
  );
}

function List({ batch }: { batch: Batch }) {
  const source = useServerSource<RowProblem>(
    ['import-sales', 'problems', batch.id],
    (page, pageSize, signal) => salesApi.problems(batch.id, page, pageSize, signal),
  );
  return (
    <div className={classes.list}>
      <DataTable<RowProblem>
        id="sales-problems"
        title="Problems"
        one="problem"
        many="problems"
        bare
        plain
        source={source}
        columns={columnsOf(batch)}
        rowId={({ row, column, code }) => `${row} ${column} ${code}`}
        rowLabel={({ row }) => `row ${row}`}
        state={IN_FILE_ORDER}
      />
    </div>
  );
}
