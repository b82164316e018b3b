import type { components } from '#/api/schema.gen';
import type { Point, Series } from '#/charts/types';
import { useReportData } from '#/reports/api';
import { column } from '#/reports/columns';
import { slicesOf } from '#/reports/Drilldown';
import { defineReport } from '#/reports/define';
import type { Found, Shown } from '#/reports/found';
import { Notice, Notices, WithoutSales } from '#/reports/frame/Notices';
import { Nothing } from '#/reports/frame/ReportStates';
import type { MatrixColumn } from '#/reports/matrix/types';
import { changeOf } from '#/reports/numbers';
import { ClearFocus, Picture } from '#/reports/Picture';
import type { ReportState } from '#/reports/question/useReport';
import { span, weekTick } from '#/reports/question/weeks';
import { UnitChoice } from '#/reports/UnitChoice';
import { unitWord } from '#/reports/units';
import { figureWidth } from '#/reports/width';
import { addDays } from '#/ui/dates';
import { change, DOT, percent, plural, qty, shortDay } from '#/ui/format';
import { sum } from '#/ui/sums';
import { MissingBom } from '../MissingBom';
import own from './page.module.css';

type Schemas = components['schemas'];
type Ranked = Schemas['RootItemSales'];
type WeeklySales = Schemas['WeeklySales'];

interface Row extends Pick<Schemas['RankedItem'], 'comparedQty' | 'comparedPrevious'> {
  id: string;
  name: string;
  kind: string | null;
  unit: string | null;
  rank: number;
  qty: number;
  share: number;
  previous: number;
  change: number | null;
}

const WEEKLY = 'weekly-root-item-sales';
const LINES = 5;

const previousOf = ({ previousFrom: from, previousTo: to }: Ranked) => ({ from, to });

export default defineReport<Ranked, Row>({
  page: 'reportSalesByRootItems',
  name: 'sales-by-root-items',
  things: () => ['root item', 'root items'],
  words: () => 'Root items by quantity',
  rows: ({ items }) =>
    items.map((item, i) => ({
      id: item.id,
      name: item.name,
      kind: item.kind ?? null,
      unit: item.unit ?? null,
      // Kilograms and pieces cannot be compared.
      rank: items.slice(0, i).filter(({ unit }) => unit === item.unit).length + 1,
      qty: item.qty,
      share: item.share,
      previous: item.previousQty,
      comparedQty: item.comparedQty,
      comparedPrevious: item.comparedPrevious,
      change: item.change ?? null,
    })),
  columns: (found) => ({ columns: columnsOf(found) }),
  aside: ({ rows, answer }) =>
    [
      plural(rows.length, 'root item'),
      ...answer.units
        .filter((one) => one.comparedPrevious)
        .slice(0, 3)
        .map(
          (one) =>
            `${unitWord(one.unit ?? null)} ${change(changeOf(one.comparedQty, one.comparedPrevious))}`,
        ),
      `against the ${plural(daysOf(answer), 'day')} before`,
    ].join(DOT),
  notices: ({ answer, all }) =>
    all.length > 0 && (
      <Notices>
        <WithoutSales answer={answer} />
        {answer.units.every((one) => one.previousQty === 0) ? (
          <Notice quiet>
            Nothing was sold from {span(previousOf(answer))}, so there is no change to show.
          </Notice>
        ) : (
          answer.leftOut > 0 && (
            <Notice>
              Changes leave out {plural(answer.leftOut, 'store-day')}: there or in the range before,
              sales are missing.
            </Notice>
          )
        )}
      </Notices>
    ),
  nothing: ({ state }) => <NoRootItems state={state} />,
  onName: 'chart',
  marked: ({ state, answer, added }) =>
    state.focus.length ? state.focus : leadersOf(answer, added).map(({ id }) => id),
  chart: (shown) => <Courses {...shown} />,
  drilldown: ({ state, answer, added }) => ({
    kind: 'root',
    what: 'Quantity',
    format: qty,
    useSlices: ({ from }) => {
      const before = from === answer.previousFrom && from !== state.range.from;
      return slicesOf(added, (row) => (before ? row.previous : row.qty));
    },
  }),
});

/** The totals of the shown rows in the chosen unit, now and before. */
function sumsOf({ answer, added, filtered, unit }: Found<Ranked, Row>) {
  const whole = answer.units.find((one) => (one.unit ?? null) === unit);
  const compared = filtered ? added : whole ? [whole] : [];
  return {
    change: changeOf(
      sum(compared.map((row) => row.comparedQty)),
      sum(compared.map((row) => row.comparedPrevious)),
    ),
    now: filtered ? sum(added.map((row) => row.qty)) : (whole?.qty ?? 0),
    before: filtered ? sum(added.map((row) => row.previous)) : (whole?.previousQty ?? 0),
    whole: whole?.qty ?? 0,
  };
}

function columnsOf(shown: Found<Ranked, Row>): MatrixColumn<Row>[] {
  const { state, answer, all, filtered } = shown;
  const { phone } = state;
  const { now, before, whole, change: changed } = sumsOf(shown);
  const figures = all.flatMap((row) => [row.qty, row.previous]);
  const width = figureWidth([...figures, now, before], qty, 96);
  const highest = Math.max(0, ...all.map(({ share }) => share));
  const open =
    ({ from, to }: { from: string; to: string }) =>
    (row: Row | null) =>
      state.openCell({ from, to, storeId: null, itemId: row?.id ?? null });
  const list: (MatrixColumn<Row> | false)[] = [
    !phone &&
      column.count('rank', '#', 56, ({ rank }) => rank, {
        title: 'Rank by quantity among what has the same unit',
      }),
    !phone && column.text('kind', 'Type', 130, ({ kind }) => kind),
    column.qty('qty', 'Quantity', width, (row) => row.qty, {
      grow: true,
      foot: qty(now),
      onPick: open(state.range),
    }),
    all.some((row) => row.unit) && column.text('unit', 'Unit', 60, (row) => row.unit),
    column.share('share', 'Share', phone ? 84 : 170, ({ share }) => share, {
      title: 'Share of all that has the same unit',
      grow: true,
      cell: phone ? undefined : ({ share }) => <Share share={share} highest={highest} />,
      foot: percent(filtered && whole ? now / whole : 1),
    }),
    column.qty('previous', 'Previous', Math.max(width, 160), (row) => row.previous, {
      sub: span(previousOf(answer)),
      grow: true,
      foot: qty(before),
      onPick: open(previousOf(answer)),
    }),
    column.change('change', 'Change', 110, (row) => row.change, {
      grow: true,
      cell: (row) => <Change value={row.change} isNew={row.previous === 0 && row.qty > 0} />,
      foot: change(changed),
    }),
  ];
  return list.filter((one) => one !== false);
}

/** The top items in the chosen unit. */
function leadersOf({ series }: Ranked, added: readonly Row[]) {
  const drawn = new Set(added.map(({ id }) => id));
  return series.filter(({ id }) => drawn.has(id)).slice(0, LINES);
}

function Courses(shown: Shown<Ranked, Row>) {
  const { state, answer, added, unit } = shown;
  const { focus, range } = state;
  // This report has series for its top items only; any other item's comes from the weekly report.
  const led = new Set(answer.series.map(({ id }) => id));
  const beyond = focus.some((id) => !led.has(id));
  const weekly = useReportData<WeeklySales>(WEEKLY, state.filters, { by: 'root' }, beyond);
  const byWeek = beyond || answer.seriesGrain === 'week';
  const periods = (beyond ? weekly.data?.weeks : answer.periods) ?? [];
  const courses = (beyond ? weekly.data?.items : answer.series) ?? [];
  const drawn = new Set(added.map(({ id }) => id));
  const leading = focus.length ? [] : leadersOf(answer, added);
  const series = [
    ...leading.map(({ id, name, quantities }, mark) => ({ id, name, quantities, mark })),
    ...focus.flatMap((id, mark) => {
      const one = drawn.has(id) && courses.find((item) => item.id === id);
      return one ? [{ id, name: one.name, quantities: one.quantities, mark }] : [];
    }),
  ].map(
    ({ id, name, quantities, mark }): Series => ({ id, label: name, values: quantities, mark }),
  );
  const endOf = (from: string) => (byWeek ? addDays(from, 6) : from);
  const points = periods.map(
    (at): Point => ({
      key: at,
      label: byWeek ? weekTick(at, periods.length) : shortDay(at),
      title: span({ from: at, to: endOf(at) }),
    }),
  );
  const { now, change: changed } = sumsOf(shown);
  const summary = [
    `${plural(added.length, 'root item')}, ${span(range)}: ${qty(now)} ${unit ?? ''} in all, ${change(changed)} against ${span(previousOf(answer))}.`,
    ...series.map(({ label, values }) => `${label}: ${qty(sum(values))}.`),
  ].join(' ');

  return (
    <Picture
      state={state}
      title={`Quantity${unit ? ` in ${unit}` : ''} by ${byWeek ? 'week' : 'day'}`}
      summary={summary}
      kind="line"
      points={points}
      series={series}
      format={qty}
      legend
      chosen={focus.length > 0}
      hint="Click a point for what it is made of"
      onPick={(from, itemId) => {
        if (itemId) state.openCell({ from, to: endOf(from), storeId: null, itemId });
      }}
      aside={
        focus.length > 0 ? (
          <ClearFocus state={state}>Back to the top {LINES}</ClearFocus>
        ) : (
          <UnitChoice {...shown} />
        )
      }
    />
  );
}

/** No rows do not mean no sales: the weekly report knows what has no bill of materials. */
function NoRootItems({ state }: { state: ReportState }) {
  const { data } = useReportData<WeeklySales>(WEEKLY, state.filters, { by: 'root' });
  return data && data.netTotal !== 0 ? (
    <MissingBom gap={data.withoutBom} unmapped={data.unmapped} state={state} />
  ) : (
    <Nothing state={state} />
  );
}

function daysOf({ from, to }: { from: string; to: string }): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
}

function Share({ share, highest }: { share: number; highest: number }) {
  return (
    <span className={own.share}>
      <span className={own.bar} aria-hidden="true">
        <span style={{ width: `${highest ? Math.max(1, (share / highest) * 100) : 0}%` }} />
      </span>
      {percent(share)}
    </span>
  );
}

function Change({ value, isNew }: { value: number | null; isNew: boolean }) {
  if (isNew) return <span className={own.new}>new</span>;
  const way = value === null || value === 0 ? undefined : value > 0 ? 'up' : 'down';
  return (
    <span className={own.change} data-way={way}>
      {change(value)}
    </span>
  );
}
