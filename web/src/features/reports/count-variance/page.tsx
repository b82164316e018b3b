import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import { column, signed } from '#/reports/columns';
import { defineReport } from '#/reports/define';
import type { Shown } from '#/reports/found';
import { FixLink, Notice, Notices, WithoutSales } from '#/reports/frame/Notices';
import type { MatrixColumn } from '#/reports/matrix/types';
import { Picture } from '#/reports/Picture';
import type { ReportState } from '#/reports/question/useReport';
import { span } from '#/reports/question/weeks';
import { count, money, plural, shortDay, signedAmount, signedMoney } from '#/ui/format';
import { NothingCounted } from '../NothingCounted';
import { barLabel } from '../storeRows';
import { netOf, valuesSaid } from '../variance';

type Schemas = components['schemas'];
type Variance = Schemas['CountVariance'];

type Row = Schemas['VarianceRow'] & { kind: string };

type Chosen = { by: 'rootItems' | 'items' };

const IN_CHART = 16;
const ON_PHONE = 7;

/** Where counts differ from the expected stock. */
export default defineReport<Variance, Row, Chosen>({
  page: 'reportCountVariance',
  name: 'count-variance',
  things: () => ['row', 'rows'],
  rowsAre: ({ by }) => (by === 'items' ? 'Item' : 'Root item'),
  words: () => 'Counted against expected',
  placeholder: 'Filter items and stores',
  choices: {
    by: {
      label: 'By',
      asked: 'always',
      options: [
        { value: 'rootItems', label: 'Root items' },
        { value: 'items', label: 'Items' },
      ],
    },
  },
  rows: ({ items }) =>
    items.map((row) => ({ ...row, id: `${row.storeId} ${row.id}`, kind: row.storeName })),
  columns: ({ answer, found, filtered, state, chosen }) => {
    // The footer covers the same rows as the heading; only the shown ones if filtered.
    const net = filtered ? netOf(found) : answer.net;
    const asked = answer.items.some(({ close }) => close > 0);
    const parts = { onPickRow: ledgerOf(state, chosen.by) };
    return { columns: columnsOf(net ?? null, asked, parts) };
  },
  foot: ({ answer, all, rows, filtered }) =>
    filtered
      ? `Total of ${count(rows.length)} shown`
      : answer.total > all.length
        ? `Total of all ${count(answer.total)}, the first ${count(all.length)} shown`
        : `Total of ${plural(rows.length, 'row')}`,
  aside: ({ answer }) => valuesSaid(answer, answer.items),
  notices: ({ answer, answer: { storesWithoutSales, items } }) => {
    const open = items.filter(({ close }) => close > 0);
    const [first] = open;
    return (
      (storesWithoutSales.length > 0 || first) && (
        <Notices>
          <WithoutSales answer={answer}>
            {' '}
            up to the last count, so “Expected” takes too little use off there
          </WithoutSales>
          {first && (
            <Notice>
              {plural(open.length, 'row depends', 'rows depend')} on goods that came or left close
              to a count. Nobody has said if they were counted.{' '}
              <FixLink page="storesInventory" search={{ store: first.storeId }}>
                Answer
              </FixLink>
            </Notice>
          )}
        </Notices>
      )
    );
  },
  nothing: () => <NothingCounted />,
  onName: 'filter',
  kindBesideName: 'always',
  chart: (shown) => <Largest {...shown} />,
});

function Largest({ state, answer, all, found }: Shown<Variance, Row, Chosen>) {
  const led = found
    .filter(({ varianceValue }) => varianceValue)
    .toSorted((a, b) => Math.abs(b.varianceValue ?? 0) - Math.abs(a.varianceValue ?? 0))
    .slice(0, state.phone ? ON_PHONE : IN_CHART);
  const values = led.map(({ varianceValue }) => varianceValue ?? null);
  return (
    <Picture
      state={state}
      title="Largest differences, ₱"
      summary={`${span(state.range)}: ${money(answer.loss)} missing and ${money(answer.gain)} more than expected; net ${money(answer.net)}.`}
      height={220}
      kind="bar"
      points={led.map((row) => ({
        key: row.id,
        ...barLabel(row, all),
        title: `${row.name}, ${row.storeName}: ${signed(row.variance)} ${row.uomCode ?? ''}`,
      }))}
      series={[{ id: 'value', label: 'Variance', values, mark: 0 }]}
      format={signedMoney}
    />
  );
}

/** Opens the movements and counts between the two counts of a row. */
function ledgerOf(state: ReportState, by: Chosen['by']): ((row: Row) => void) | undefined {
  const open = state.leadTo('storesInventory');
  return (
    open &&
    (({ storeId, id, openingDate, countedDate }) => {
      const item = id.slice(storeId.length + 1);
      const days = { since: openingDate, until: countedDate };
      open(to('storesInventory', null, { store: storeId, by, item, ...days }));
    })
  );
}

/**
 * The columns, with the value of all variances in the footer; figures open as `parts` says. `asked`: whether goods close to
 * a count are asked about.
 */
function columnsOf(
  value: number | null,
  asked: boolean,
  parts: Pick<MatrixColumn<Row>, 'onPickRow'>,
): MatrixColumn<Row>[] {
  return [
    column.signedAmount('varianceValue', 'Variance (₱)', 112, (row) => row.varianceValue, {
      foot: signedAmount(value),
      ...parts,
    }),
    column.signed('variance', 'Variance', 92, (row) => row.variance, parts),
    column.change('share', 'Of use', 90, (row) => row.share, {
      title: 'The difference as a part of what was used',
    }),
    column.text('uom', 'Unit', 56, (row) => row.uomCode ?? ''),
    ...(asked
      ? [
          column.text<Row>('close', 'Close goods', 100, ({ close }) =>
            close > 0 ? 'Not answered' : '',
          ),
        ]
      : []),
    column.qty('opening', 'Counted before', 100, (row) => row.opening, parts),
    column.signed('moved', 'Came and went', 108, (row) => row.moved, parts),
    column.qty('used', 'Used', 90, (row) => row.used, parts),
    column.qty('expected', 'Expected', 90, (row) => row.expected, parts),
    column.qty('counted', 'Counted', 90, (row) => row.counted, parts),
    column.text(
      'countedDate',
      'Last count',
      132,
      ({ openingDate, countedDate }) => `${shortDay(openingDate)} – ${shortDay(countedDate)}`,
      { sortable: false, least: 128 },
    ),
  ];
}
