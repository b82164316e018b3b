import type { Column } from '#/table/types';
import { amount, day, money, plural } from '#/ui/format';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import { kindName, PAIRS, type TenderPair, type TenderRow } from './api';

type Row = TenderRow & { id: string };
type Figure =
  | 'pos'
  | 'z'
  | 'declared'
  | 'deposited'
  | 'settled'
  | 'fee'
  | 'expectedFee'
  | 'missing';

const TONES: Readonly<Record<string, Tone>> = {
  agrees: 'ok',
  differs: 'danger',
  incomplete: 'warn',
  missing: 'warn',
};

/** The tone of a comparison. */
export const toneOf = (state: string): Tone => TONES[state] ?? 'neutral';

/** «Declared – deposited: ₱1,000.75 and nothing». */
export function figuresOf({ kind, left, right, base }: TenderPair): string {
  const instead =
    base === 'reading' ? ' (by the Z-reading)' : base === 'file' ? ' (by the sales file)' : '';
  const shown = (figure: TenderPair['left']) => (figure == null ? 'nothing' : money(figure));
  return `${PAIRS[kind] ?? kind}: ${shown(left)}${instead} and ${shown(right)}`;
}

/** The days of a row that are compared together; null if it is one. */
export const togetherLabel = ({ coversFrom, date }: Pick<TenderRow, 'coversFrom' | 'date'>) =>
  coversFrom ? `${day(coversFrom)} to ${day(date)} together: one Z-reading covers them.` : null;

/** The comparisons of a row in words, line by line. */
export const comparedWords = (row: Pick<TenderRow, 'coversFrom' | 'date' | 'pairs'>) =>
  [togetherLabel(row) ?? [], row.pairs.map((pair) => `${figuresOf(pair)}. ${pair.words}`)]
    .flat()
    .join('\n');

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
    figure('fee', 'Fee', { width: 92, hidden: true }),
    figure('expectedFee', 'Fee expected', { hidden: true }),
    {
      id: 'compared',
      label: 'Compared',
      title: 'Sales file, Z-reading, declared, deposited or settled: which of them differ',
      width: 196,
      phone: 'sub',
      value: ({ compared }) => compared.words,
      cell: (row) => (
        <span title={comparedWords(row)}>
          <StatusPill tone={toneOf(row.compared.state)}>{row.compared.words}</StatusPill>
        </span>
      ),
    },
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
