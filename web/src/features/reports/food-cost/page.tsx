import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import type { Choices } from '#/reports/choices';
import { column } from '#/reports/columns';
import { defineReport } from '#/reports/define';
import type { Shown } from '#/reports/found';
import { FixLink, Notice, Notices } from '#/reports/frame/Notices';
import type { MatrixColumn } from '#/reports/matrix/types';
import { leaders } from '#/reports/numbers';
import { Picture } from '#/reports/Picture';
import type { ReportState } from '#/reports/question/useReport';
import { span } from '#/reports/question/weeks';
import { addDays } from '#/ui/dates';
import { amount, DOT, money, percent, plural, shortDay } from '#/ui/format';
import { sum } from '#/ui/sums';
import { type By, byChoice, openStores, storeLabel, things as storeThings } from '../storeRows';

type Schemas = components['schemas'];
type FoodCost = Schemas['FoodCost'];
type Row = Schemas['FoodCostRow'] & { kind: null };
type Chosen = { by: By | 'item' };

const things = ({ by }: Chosen): readonly [string, string] =>
  by === 'item' ? ['root item', 'root items'] : storeThings({ by });

const choices: Choices<Chosen> = {
  by: {
    ...byChoice.by,
    when: undefined,
    options: [...byChoice.by.options, { value: 'item', label: 'Root items' }],
  },
};

const IN_CHART = 16;
const ON_PHONE = 6;

/** Food cost per peso of sales: by the bills of materials, and by counts. */
export default defineReport<FoodCost, Row, Chosen>({
  page: 'reportFoodCost',
  name: 'food-cost',
  usual: 'last-4-weeks',
  things,
  words: (chosen) => `Food cost by ${things(chosen)[0]}`,
  choices,
  rows: ({ items }) => items.map((row) => ({ ...row, kind: null })),
  columns: ({ answer, state, chosen: { by }, found, filtered }) => {
    const items = by === 'item';
    const whole = filtered ? null : answer.total;
    // The server's total is exact; rounded rows may miss it by centavos.
    const foot = (of: (row: FoodCost['total']) => number | null | undefined) => {
      if (whole) return amount(of(whole));
      const known = found.map(of).filter((value) => value != null);
      return amount(known.length > 0 ? sum(known) : null);
    };
    const open = (row: Row | null) => {
      const { from, to } = answer;
      if (items && row) state.openCell({ from, to, storeId: null, itemId: row.id });
      else if (row && by === 'store')
        state.set({ by: 'item', stores: row.id, areas: null, q: null, focus: null }, true);
      else if (row) openStores(state, row.storeIds);
      else if (!items) state.set({ by: 'item' }, true);
    };
    const counted = countedOf(state, by);
    const leading: MatrixColumn<Row>[] = items
      ? [
          column.text('unit', 'Unit', 58, (row) => row.unit),
          column.qty('use', 'Used', 104, (row) => row.use, { sub: 'by recipes' }),
          column.amount('price', 'Price ₱', 92, (row) => row.price, {
            sub: 'last day',
            title: 'The price of the last day; each day costs its own',
          }),
        ]
      : [column.amount('net', 'Net ₱', 124, (row) => row.net, { foot: foot((row) => row.net) })];
    return {
      columns: [
        ...leading,
        column.amount('theoretical', 'Theoretical ₱', 122, (row) => row.theoretical, {
          sub: 'by recipes',
          foot: foot((row) => row.theoretical),
          onPick: open,
        }),
        column.share('theoreticalShare', 'Theoretical', 96, (row) => row.theoreticalShare, {
          sub: 'of net sales',
          foot: whole ? percent(whole.theoreticalShare) : undefined,
        }),
        column.share('actualShare', 'Actual', 112, (row) => row.counted?.actualShare, {
          sub: 'counted weeks',
          onPickRow: counted,
          foot: whole ? percent(whole.counted?.actualShare) : undefined,
        }),
        column.share('weeksShare', 'Theoretical', 104, (row) => row.counted?.theoreticalShare, {
          sub: 'same weeks',
          foot: whole ? percent(whole.counted?.theoreticalShare) : undefined,
        }),
        column.amount('over', 'Over recipe ₱', 122, (row) => row.counted?.over, {
          sub: 'counted weeks',
          title: 'What was used beyond the recipes',
          onPickRow: counted,
          foot: foot((row) => row.counted?.over),
        }),
        column.share('covered', 'Counted', 92, (row) => row.counted?.covered, {
          sub: 'of the cost',
          title: 'The part of the theoretical cost whose root items were counted',
          foot: whole ? percent(whole.counted?.covered) : undefined,
        }),
      ],
    };
  },
  foot: ({ filtered }) => (filtered ? 'Total of those shown' : 'Total'),
  aside: ({ answer: { total } }) =>
    [
      `${percent(total.theoreticalShare)} theoretical`,
      total.counted && `${percent(total.counted.actualShare)} actual`,
      `of ${money(total.net)} net`,
    ]
      .filter(Boolean)
      .join(DOT),
  notices: ({ answer }) => <Missing {...answer} />,
  onName: 'filter',
  chart: (shown) => <Shares {...shown} />,
  drilldown: ({ found }) => ({
    kind: 'root',
    what: 'Theoretical cost',
    format: amount,
    pricedOf: (itemId) => {
      const row = found.find(({ id }) => id === itemId);
      // A price that changed within the range explains no single product.
      if (!row || row.priceChanged) return null;
      return { price: row.price ?? null, unit: row.unit ?? null };
    },
    useSlices: () => ({
      rows: found.map(({ id, name, theoretical }) => ({ id, name, value: theoretical })),
    }),
  }),
});

/** What the figures leave out, by name. */
function Missing({ unpriced, netWithoutBom, total, uncounted, weeks, pricesChanged }: FoodCost) {
  const net = total.net ?? 0;
  return (
    <Notices>
      {unpriced.length > 0 && (
        <Notice>
          No price for {storeLabelOf(unpriced)}: their cost is left out.{' '}
          <FixLink page="listRootItems">Open root items</FixLink>
        </Notice>
      )}
      {netWithoutBom !== 0 && (
        <Notice>
          {money(netWithoutBom)} of sales ({percent(net ? netWithoutBom / net : null)}) have no bill
          of materials. <FixLink page="listPosItems">Open POS items</FixLink>
        </Notice>
      )}
      {weeks.length === 0 ? (
        <Notice quiet>No whole week of this range was counted: there is no actual cost yet.</Notice>
      ) : (
        uncounted.length > 0 && <Notice quiet>Not counted: {storeLabel(uncounted)}.</Notice>
      )}
      <Notice quiet>
        Each day at its own prices;{' '}
        {pricesChanged
          ? `${plural(pricesChanged, 'price changes', 'prices change')} within this range.`
          : 'none changes within this range.'}
      </Notice>
    </Notices>
  );
}

const storeLabelOf = (items: readonly { name: string }[]) =>
  items.length > 3
    ? `${items
        .slice(0, 3)
        .map(({ name }) => name)
        .join(', ')} and ${plural(items.length - 3, 'more root item')}`
    : items.map(({ name }) => name).join(', ');

/** Opens what was counted: the movement of the root items of a store, or of a root item in all chosen stores. */
function countedOf(state: ReportState, by: Chosen['by']): ((row: Row) => void) | undefined {
  const open = state.leadTo('reportRootItemMovement');
  if (!open) return undefined;
  const { from, to: until } = state.range;
  if (by !== 'store' && by !== 'item') return (row) => openStores(state, row.storeIds);
  const of = ({ id, name }: Row) =>
    by === 'store'
      ? { stores: id }
      : { stores: state.get('stores'), areas: state.get('areas'), q: name };
  return (row) => open(to('reportRootItemMovement', null, { from, to: until, ...of(row) }));
}

function Shares({ state, answer, found, chosen }: Shown<FoodCost, Row, Chosen>) {
  const { weeks, total } = answer;
  const write = (value: number) => percent(value);
  const short = (value: number) => percent(value, 0);
  const words = `Food cost of net sales, ${span(answer)}: ${percent(total.theoreticalShare)} theoretical, ${percent(total.counted?.actualShare)} actual in counted weeks.`;
  if (chosen.by === 'item') {
    const { top } = leaders(found, state.phone ? ON_PHONE : IN_CHART, (row) => row.theoretical);
    return (
      <Picture
        state={state}
        title="Theoretical cost by root item"
        summary={words}
        kind="bar"
        points={top.map(({ id, name }) => ({ key: id, label: name, title: name }))}
        series={[{ id: 'cost', label: 'Cost', values: top.map((row) => row.theoretical), mark: 0 }]}
        format={amount}
        onPick={(id) =>
          state.openCell({ from: answer.from, to: answer.to, storeId: null, itemId: id })
        }
      />
    );
  }
  if (weeks.length > 1) {
    return (
      <Picture
        state={state}
        title="Food cost by counted week"
        summary={`${words} ${weeks.map((one) => `Week of ${shortDay(one.week)}: ${percent(one.theoreticalShare)} and ${percent(one.actualShare)}.`).join(' ')}`}
        kind="line"
        legend
        points={weeks.map(({ week }) => ({
          key: week,
          label: shortDay(week),
          title: span({ from: week, to: addDays(week, 6) }),
        }))}
        series={[
          {
            id: 'theoretical',
            label: 'Theoretical',
            values: weeks.map((one) => one.theoreticalShare ?? null),
            mark: 0,
          },
          {
            id: 'actual',
            label: 'Actual',
            values: weeks.map((one) => one.actualShare ?? null),
            mark: 1,
          },
        ]}
        format={write}
        short={short}
      />
    );
  }
  const { top } = leaders(
    found,
    state.phone ? ON_PHONE : IN_CHART,
    (row) => row.theoreticalShare ?? 0,
  );
  return (
    <Picture
      state={state}
      title="Theoretical food cost of net sales"
      summary={words}
      kind="bar"
      points={top.map(({ id, name }) => ({ key: id, label: name, title: name }))}
      series={[
        {
          id: 'share',
          label: 'Of net sales',
          values: top.map((row) => row.theoreticalShare ?? null),
          mark: 0,
        },
      ]}
      format={write}
      short={short}
    />
  );
}
