import { IconInbox } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Matrix } from '#/reports/matrix/Matrix';
import type { MatrixColumn } from '#/reports/matrix/types';
import { figureWidth } from '#/reports/width';
import { EmptyState } from '#/ui/EmptyState';
import { plural } from '#/ui/format';
import { usePhone } from '#/ui/usePhone';
import { headOf, writer } from './labels';
import type { Answer, Definition, Figure, Row } from './types';

/** The selected cell: a row, and a column if there are columns. */
export interface Picked {
  row: Row;
  /** The column; null for the row as a whole. */
  column: number | null;
}

interface Line {
  id: string;
  name: string;
  row: Row;
  total: boolean;
}

interface Props {
  answer: Answer;
  label: string;
  stale: boolean;
  onSort(sort: Definition['sort']): void;
  onPick(picked: Picked): void;
}

/** The table: rows with their fields, figures as columns, totals in the footer. The server sorts. */
export function Table({ answer, label, stale, onSort, onPick }: Props) {
  const phone = usePhone();
  const { columns, total, lines, foot } = useMemo(
    () => made(answer, phone, onPick),
    [answer, phone, onPick],
  );
  const sort = answer.definition.sort ?? null;
  const by = !sort
    ? null
    : { by: sort.measure == null ? 'name' : `total${sort.measure}`, down: sort.descending };

  function resort(id: string): void {
    const at = id === 'name' ? null : measureOf(id);
    if (at === undefined) return;
    const again = sort && (sort.measure ?? null) === at;
    onSort({ measure: at, descending: again ? !sort.descending : at !== null });
  }

  return (
    <Matrix<Line>
      label={label}
      rows={lines}
      columns={columns}
      total={total}
      rowsAre={answer.rowFields[0]?.label ?? 'All'}
      foot={foot}
      sort={by}
      onSort={resort}
      onName={(line) => !line.total && onPick({ row: line.row, column: null })}
      phone={phone}
      stale={stale}
    >
      {answer.rows.length === 0 ? (
        <EmptyState
          icon={IconInbox}
          title="Nothing in these days"
          text="Choose other days, or take out a filter."
        />
      ) : null}
    </Matrix>
  );
}

/** The measure of a column; undefined for a field of the rows. */
function measureOf(id: string): number | undefined {
  const found = id.match(/^total(\d+)$/) ?? id.match(/^c\d+m(\d+)$/);
  return found ? Number(found[1]) : undefined;
}

function made(answer: Answer, phone: boolean, onPick: (picked: Picked) => void) {
  const { measures, rowFields } = answer;
  const many = measures.length;
  const lines: Line[] = answer.rows.map((row, at) => ({
    id: `${row.keys.join('\u0001')}|${row.unit ?? ''}|${row.other ? at : ''}`,
    name: row.labels[0] ?? 'All',
    row,
    total: row.other,
  }));
  // Sums do not mix units: with several, each has its line, and the footer has what they share.
  const apart = answer.totals.length > 1;
  const whole =
    answer.totals.length === 1
      ? answer.totals[0]
      : answer.totals.find((row) => row.labels[0] === 'All units');
  if (apart) {
    for (const row of answer.totals.filter((one) => one !== whole)) {
      lines.push({
        id: `total|${row.unit ?? ''}`,
        name: row.unit ? `Total in ${row.unit}` : 'Total without a unit',
        row,
        total: true,
      });
    }
  }
  const pick = (column: number | null) => (line: Line | null) => {
    if (line && !line.total) onPick({ row: line.row, column });
  };
  const columns: MatrixColumn<Line>[] = rowFields.slice(1).map((field, at) => ({
    id: `field${at}`,
    label: field.label,
    width: 132,
    align: 'left',
    sortable: false,
    value: ({ row }) => row.labels[at + 1],
  }));
  if (measures.some(({ unit }) => unit)) {
    columns.push({
      id: 'unit',
      label: 'Unit',
      width: 62,
      align: 'left',
      sortable: false,
      value: ({ row }) => row.unit,
    });
  }
  const figures = (
    measure: Figure,
    value: (row: Row) => number | null | undefined,
    rest: Pick<MatrixColumn<Line>, 'id' | 'label'> & Partial<MatrixColumn<Line>>,
  ): MatrixColumn<Line> => {
    const write = writer(measure);
    const all = lines.flatMap(({ row }) => value(row) ?? []);
    const sum = whole ? value(whole) : null;
    const foot = sum == null ? undefined : write(sum);
    return {
      width: figureWidth(sum == null ? all : [...all, sum], write, many > 1 ? 112 : 88),
      value: ({ row }) => value(row),
      format: write,
      foot,
      ...rest,
    };
  };
  answer.columns.forEach((column, nth) => {
    measures.forEach((measure, at) => {
      const head = column.labels.join(', ');
      // The page's title has the year.
      const short = column.labels
        .map((label) => label.replace(/(\d [A-Z][a-z]{2}) \d{4}$/, '$1'))
        .join(', ');
      columns.push(
        figures(measure, (row) => row.values[nth * many + at], {
          id: `c${nth}m${at}`,
          label: short,
          title: `${head}: ${headOf(measure)}`,
          sub: many > 1 ? headOf(measure) : undefined,
          grow: true,
          onPick: pick(nth),
        }),
      );
    });
  });
  const totals = measures.map((measure, at) =>
    figures(measure, (row) => row.total[at], {
      id: `total${at}`,
      label:
        answer.columns.length === 0 ? headOf(measure) : measure.rule === 'sum' ? 'Total' : 'All',
      sub: answer.columns.length > 0 && many > 1 ? headOf(measure) : undefined,
      grow: answer.columns.length === 0,
      onPick: pick(null),
    }),
  );
  const foot = whole
    ? apart
      ? 'All units'
      : plural(answer.rowCount, 'row')
    : plural(answer.rowCount, 'row');
  const sticky = answer.columns.length > 0 && many === 1 && !phone ? (totals[0] ?? null) : null;
  if (sticky) return { columns, total: sticky, lines, foot };
  const text = columns.filter(({ align }) => align === 'left');
  const across = columns.filter(({ align }) => align !== 'left');
  // On a phone the sums come first.
  const ordered = phone ? [...totals, ...text, ...across] : [...text, ...across, ...totals];
  return { columns: ordered, total: null, lines, foot };
}
