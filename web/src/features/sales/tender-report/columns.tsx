import type { Column } from '#/table/types';
import { amount, day, money, plural } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { kindName, type TenderRow } from './api';

type Row = TenderRow & { id: string };
type Figure =
  | 'pos'
  | 'z'
  | 'declared'
  | 'deposited'
  | 'settled'
  | 'fee'
  | 'expectedFee'
  | 'variance'
  | 'missing';

/** The columns, with sums of the shown rows. */
export function columnsOf(rows: readonly Row[]): Column<Row>[] {
  const figure = (id: Figure, label: string, more: Partial<Column<Row>> = {}): Column<Row> => ({
    id,
    label,
    width: 104,
    value: (row) => row[id],
    number: amount,
    total: amount(rows.reduce((sum, row) => sum + Math.round((row[id] ?? 0) * 100), 0) / 100),
    phone: 'none',
    ...more,
  });
  return [
    { id: 'storeName', label: 'Store', primary: true, width: 190, value: (row) => row.storeName },
    {
      id: 'date',
      label: 'Date',
      width: 108,
      phone: 'sub',
      value: (row) => row.date,
      cell: (row) => day(row.date),
    },
    {
      id: 'kind',
      label: 'Tender',
      width: 92,
      phone: 'sub',
      value: (row) => kindName(row.kind),
    },
    figure('pos', 'POS', {
      cell: ({ pos, posLeft }) =>
        posLeft.length > 0 ? (
          <span title={`Came from ${posLeft.join(' and ')} as well; counted once`}>
            {amount(pos)} <sup>1×</sup>
          </span>
        ) : (
          amount(pos)
        ),
    }),
    figure('z', 'Z-reading', { phone: 'end' }),
    figure('declared', 'Declared'),
    figure('deposited', 'Deposited'),
    figure('settled', 'Settled'),
    figure('fee', 'Fee', { width: 92 }),
    figure('expectedFee', 'Fee expected', { hidden: true }),
    figure('variance', 'Variance', { title: 'What came less what the till said' }),
    figure('missing', 'Missing', { title: 'What is not in the bank yet' }),
    {
      id: 'age',
      label: 'Since',
      width: 100,
      phone: 'sub',
      value: (row) => row.age,
      cell: ({ age, late }) =>
        age == null ? null : (
          <StatusPill tone={late ? 'danger' : 'neutral'}>{plural(age, 'day')}</StatusPill>
        ),
    },
  ];
}

export const missingLabel = ({ missing, age }: TenderRow) =>
  missing == null ? null : `${money(missing)} is not in the bank yet, ${plural(age ?? 0, 'day')}.`;
