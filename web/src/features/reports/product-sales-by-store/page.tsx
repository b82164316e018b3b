import type { components } from '#/api/schema.gen';
import { MARKS } from '#/charts/marks';
import type { Point, Series } from '#/charts/types';
import { across, sumsOf } from '#/reports/across';
import { column } from '#/reports/columns';
import { slicesOf } from '#/reports/Drilldown';
import { defineReport } from '#/reports/define';
import type { Shown } from '#/reports/found';
import { Notices, WithoutSales } from '#/reports/frame/Notices';
import { leaders } from '#/reports/numbers';
import { ClearFocus, Picture } from '#/reports/Picture';
import { span } from '#/reports/question/weeks';
import { amount, count, DOT, money, plural, qty } from '#/ui/format';
import { sum } from '#/ui/sums';

type ProductSales = components['schemas']['ProductSales'];
type Chosen = { measure: 'qty' | 'net' };

interface Row {
  id: string;
  name: string;
  kind: string | null;
  values: readonly number[];
  total: number;
}

type Products = Shown<ProductSales, Row, Chosen>;

const STORES_IN_CHART = 16;
const STORES_ON_PHONE = 6;

const writer = ({ measure }: Chosen) => (measure === 'net' ? amount : qty);
const what = ({ measure }: Chosen) => (measure === 'net' ? 'Net sales' : 'Quantity');

export default defineReport<ProductSales, Row, Chosen>({
  page: 'reportProductSalesByStore',
  name: 'product-sales-by-store',
  things: () => ['POS item', 'POS items'],
  words: (chosen) => `${what(chosen)} by store`,
  choices: {
    measure: {
      label: 'Measure',
      asked: 'file',
      options: [
        { value: 'qty', label: 'Quantity' },
        { value: 'net', label: 'Net ₱' },
      ],
    },
  },
  rows: ({ items }, { measure }) =>
    items
      .map((item) => ({
        id: item.id,
        name: item.name,
        kind: item.kind ?? null,
        values: measure === 'net' ? item.nets : item.quantities,
        total: measure === 'net' ? item.net : item.qty,
      }))
      // The server ranks by net; rows are sorted by the shown figure.
      .sort((a, b) => b.total - a.total),
  columns: (shown) =>
    across(shown, {
      write: writer(shown.chosen),
      least: 96,
      atDesk: [column.text('kind', 'Category', 118, (row) => row.kind)],
      whole: shown.state.range,
      points: shown.answer.stores.map(({ id, name }) => ({
        key: id,
        label: name,
        title: name,
        cell: { from: shown.state.range.from, to: shown.state.range.to, storeId: id },
      })),
    }),
  aside: ({ rows, answer }) =>
    `${plural(rows.length, 'POS item')}${DOT}${plural(answer.stores.length, 'store')}${DOT}${money(answer.totalNet)} net`,
  notices: ({ answer }) => (
    <Notices>
      <WithoutSales answer={answer} />
    </Notices>
  ),
  onName: 'chart',
  chart: (shown) => <Stores {...shown} />,
  drilldown: ({ answer: { stores }, found, chosen }) => ({
    kind: 'pos',
    what: what(chosen),
    format: writer(chosen),
    inNet: chosen.measure === 'net',
    useSlices: ({ storeId }) => {
      const at = stores.findIndex(({ id }) => id === storeId);
      return slicesOf(found, ({ values, total }) => (at < 0 ? total : (values[at] ?? 0)));
    },
  }),
});

function Stores({ state, answer: { stores }, found, rows, chosen }: Products) {
  const write = writer(chosen);
  const totals = sumsOf(found, stores.length);
  const order = leaders(
    stores.map((store, at) => ({ store, at })),
    state.phone ? STORES_ON_PHONE : STORES_IN_CHART,
    ({ at }) => totals.values[at] ?? 0,
  );
  const point = ({ id, name }: { id: string; name: string }): Point => ({
    key: id,
    label: name,
    title: name,
  });
  const points = order.top.map(({ store }) => point(store));
  const wished = state.focus.flatMap((id) => found.find((row) => row.id === id) ?? []);
  const drawn = wished.length ? wished : leaders(found, MARKS, (row) => row.total).top;
  const series = drawn.map(
    ({ id, name, values }, mark): Series => ({
      id,
      label: name,
      values: order.top.map(({ at }) => values[at] ?? 0),
      mark,
    }),
  );
  const first = points[0];
  const summary = [
    `${what(chosen)} of ${plural(found.length, 'POS item')} in ${plural(stores.length, 'store')}, ${span(state.range)}: ${write(totals.total)} in all.`,
    first && points.length > 1
      ? `The most at ${first.title}: ${write(sum(series.map(({ values }) => values[0])))}.`
      : '',
    ...series.map(({ label, values }) => `${label}: ${write(sum(values))}.`),
  ];
  const title = [
    wished.length || found.length <= series.length
      ? `${what(chosen)} by store`
      : `${what(chosen)} of the first ${series.length} of ${count(found.length)} items`,
    order.rest.length > 0 && `the first ${points.length} of ${stores.length} stores`,
  ];

  return (
    <Picture
      state={state}
      title={title.filter(Boolean).join(', ')}
      summary={summary.join(' ')}
      height={220}
      kind="stacked"
      points={points}
      series={series}
      format={write}
      legend
      chosen={wished.length > 0}
      onPick={(storeId, itemId) =>
        state.openCell({ from: state.range.from, to: state.range.to, storeId, itemId })
      }
      aside={wished.length > 0 && <ClearFocus state={state} />}
      // Hundreds of items in one bar are unreadable; each in its own row is not.
      heat={{
        first: true,
        other: 'Bars',
        title: `${what(chosen)} by item and store`,
        rows: wished.length ? wished : rows,
        points: stores.map(point),
      }}
    />
  );
}
