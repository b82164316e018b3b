import { IN_FILE_ORDER } from '#/imports/columns';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { amount, count, plural, pluralQty, qty } from '#/ui/format';
import { usePhone } from '#/ui/usePhone';
import { salesApi } from '../api';
import type { LeftOutRow, LeftOutSum } from '../types';
import classes from './LeftOut.module.css';

/** More rows are not kept. */
const KEPT = 10_000;

const DESK: readonly Column<LeftOutRow>[] = [
  { id: 'row', label: 'Row', value: ({ row }) => row, number: count, width: 70, sortable: false },
  { id: 'text', label: 'Content', value: ({ text }) => text, primary: true, sortable: false },
  {
    id: 'qty',
    label: 'Quantity',
    value: (row) => row.qty,
    number: qty,
    width: 100,
    sortable: false,
  },
  {
    id: 'net',
    label: 'Net (₱)',
    value: ({ net }) => net,
    number: amount,
    width: 120,
    sortable: false,
    phone: 'end',
  },
];

/** A phone's rows have no headings: the second line says what its figures are. */
const PHONE: readonly Column<LeftOutRow>[] = [
  ...DESK.filter(({ id }) => id === 'text' || id === 'net'),
  {
    id: 'where',
    label: 'Row',
    value: (row) => `Row ${count(row.row)}, ${pluralQty(row.qty, 'piece')}`,
    sortable: false,
    phone: 'sub',
  },
];

interface Props {
  batchId: string;
  reason: LeftOutSum;
  onClose(): void;
}

/** The rows that are left out for one reason. */
export function LeftOut({ batchId, reason, onClose }: Props) {
  const phone = usePhone();
  const source = useServerSource<LeftOutRow>(
    ['import-sales', 'left-out', batchId, reason.reason],
    (page, pageSize, signal) => salesApi.leftOut(batchId, reason.reason, page, pageSize, signal),
  );
  return (
    <DrawerFrame opened title={reason.label} size={720} onClose={onClose}>
      <div className={classes.body}>
        <p className={classes.text}>
          {plural(reason.rows, 'row')}
          {reason.rows > KEPT && `; the first ${count(KEPT)} are listed`}.
        </p>
        <div className={classes.list}>
          <DataTable<LeftOutRow>
            id="sales-left-out"
            title={reason.label}
            one="row"
            many="rows"
            bare
            plain
            source={source}
            columns={phone ? PHONE : DESK}
            rowId={(row) => `${row.row} ${row.text} ${row.qty} ${row.net}`}
            rowLabel={({ row }) => `row ${row}`}
            state={IN_FILE_ORDER}
          />
        </div>
      </div>
    </DrawerFrame>
  );
}
