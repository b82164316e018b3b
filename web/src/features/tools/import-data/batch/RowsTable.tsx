import { IconRowInsertTop } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { IN_FILE_ORDER } from '#/imports/columns';
import { StatePill } from '#/imports/states';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { count } from '#/ui/format';
import { importApi, KEY } from '../api';
import { outcomeOf } from '../states';
import type { Batch, ImportList, Outcome, Row } from '../types';
import { RowDrawer } from './RowDrawer';
import classes from './RowsTable.module.css';
import { changesOf, labelsOf, short } from './rowLabels';

interface Props {
  batch: Batch;
  list: ImportList;
  show: Outcome | undefined;
  /** Filters and tools above the rows. */
  head: ReactNode;
}

const idOf = ({ row }: Row) => String(row);
const labelOf = (row: Row) => row.name || `row ${row.row}`;
/** The number of changes that fit a table row. */
const SHOWN = 4;

/** Every row of the file: its effect, its record, its problems. */
export function RowsTable({ batch, list, show, head }: Props) {
  const [open, setOpen] = useState<number | null>(null);
  const source = useServerSource<Row>(
    [...KEY, 'rows', batch.id, batch.state, show ?? 'all'],
    (page, pageSize, signal) => importApi.rows(batch.id, show, page, pageSize, signal),
  );
  const columns = useMemo(() => columnsOf(list), [list]);
  const at = source.rows.findIndex((row) => row !== undefined && row.row === open);
  return (
    <>
      {head}
      <DataTable<Row>
        id="data-import-rows"
        title="Rows of the file"
        one="row"
        many="rows"
        icon={IconRowInsertTop}
        bare
        plain
        source={source}
        columns={columns}
        rowId={idOf}
        rowLabel={labelOf}
        state={IN_FILE_ORDER}
        onOpen={({ row }) => setOpen(row)}
        faded={({ outcome }) => outcome === 'unchanged'}
        empty={{ title: 'No such rows' }}
      />
      <RowDrawer
        row={source.rows[at] ?? null}
        list={list}
        written={batch.state !== 'checked'}
        before={source.rows[at - 1]}
        after={source.rows[at + 1]}
        onGo={({ row }) => setOpen(row)}
        onClose={() => setOpen(null)}
      />
    </>
  );
}

function columnsOf(list: ImportList): Column<Row>[] {
  const labels = labelsOf(list);
  return [
    {
      id: 'row',
      label: 'Row',
      value: ({ row }) => row,
      number: count,
      width: 72,
      sortable: false,
      phone: 'none',
    },
    {
      id: 'outcome',
      label: 'Result',
      value: ({ outcome }) => outcomeOf[outcome].label,
      cell: ({ outcome }) => <StatePill states={outcomeOf} state={outcome} />,
      width: 108,
      sortable: false,
      phone: 'end',
    },
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.name || `Row ${row.row}`,
      width: 260,
      primary: true,
      sortable: false,
    },
    {
      id: 'changes',
      label: 'What happens',
      value: ({ row }) => row,
      cell: (row) => <Happens row={row} labels={labels} />,
      sortable: false,
      phone: 'sub',
    },
  ];
}

/** A row's effect in one line; its drawer has the details. */
function Happens({ row, labels }: { row: Row; labels: ReturnType<typeof labelsOf> }) {
  if (row.note) return <span className={classes.note}>{row.note}</span>;
  if (row.problems.length > 0) {
    const [{ field, value, message } = { field: '', value: '', message: '' }] = row.problems;
    const label = labels.find(({ name }) => name === field)?.label;
    const more = row.problems.length - 1;
    return (
      <span className={classes.problem}>
        {label && <strong>{label}: </strong>}
        {value && `“${value}” – `}
        {message}
        {more > 0 && ` And ${more} more.`}
      </span>
    );
  }
  // The new record's name is already next to it.
  const isName = (after: unknown) => row.outcome === 'created' && after === row.name;
  const changes = changesOf(row).filter(({ after }) => !isName(after));
  if (changes.length === 0) return <span className={classes.same}>No change</span>;
  const more = changes.length - SHOWN;
  return (
    <span className={classes.changes}>
      {changes.slice(0, SHOWN).map((change) => {
        const { field, label, before, after } = short(change, labels);
        return (
          <span key={field} className={classes.change}>
            {label}{' '}
            {row.outcome === 'updated' && (
              <>
                <del>{before}</del>
                <span aria-hidden> → </span>
              </>
            )}
            <ins>{after}</ins>
          </span>
        );
      })}
      {more > 0 && <span>and {count(more)} more</span>}
    </span>
  );
}
