import type { components } from '#/api/schema.gen';
import { MARKS } from '#/charts/marks';
import { Spark } from '#/charts/Spark';
import type { Point, Series } from '#/charts/types';
import { across, sumsOf } from '#/reports/across';
import { column } from '#/reports/columns';
import { slicesOf } from '#/reports/Drilldown';
import { defineReport } from '#/reports/define';
import type { Shown } from '#/reports/found';
import { Gaps, Notice, Notices, WithoutSales } from '#/reports/frame/Notices';
import frame from '#/reports/frame/Report.module.css';
import type { MatrixColumn } from '#/reports/matrix/types';
import { highest } from '#/reports/numbers';
import { ClearFocus, Picture } from '#/reports/Picture';
import { span, weekTag, weekTick } from '#/reports/question/weeks';
import { UnitChoice } from '#/reports/UnitChoice';
import { addDays } from '#/ui/dates';
import { amount, DOT, money, plural, qty, shortDay } from '#/ui/format';
import { sum } from '#/ui/sums';
import { MissingBom } from '../MissingBom';

type WeeklySales = components['schemas']['WeeklySales'];
type Chosen = { by: 'root' | 'pos'; measure: 'qty' | 'net' };

/** An item with the values of the chosen measure. */
interface Row {
  id: string;
  name: string;
  kind: string | null;
  unit: string | null;
  values: readonly number[];
  total: number;
}

type Weekly = Shown<WeeklySales, Row, Chosen>;

const COMPARED = 5;

const THINGS: Record<Chosen['by'], [string, string]> = {
  root: ['root item', 'root items'],
  pos: ['POS item', 'POS items'],
};
const writer = ({ measure }: Chosen) => (measure === 'net' ? amount : qty);
const what = ({ measure }: Chosen) => (measure === 'net' ? 'Net sales' : 'Quantity');
const week = (monday: string) => ({ from: monday, to: addDays(monday, 6) });

export default defineReport<WeeklySales, Row, Chosen>({
  page: 'reportWeeklyRootItemSales',
  name: 'weekly-root-item-sales',
  things: ({ by }) => THINGS[by],
  rowsAre: ({ by }) => (by === 'root' ? 'Root item' : 'POS item'),
  words: (chosen) => `${what(chosen)} by week`,
  choices: {
    by: {
      label: 'Rows',
      asked: 'always',
      clears: ['measure', 'focus', 'cell'],
      options: [
        { value: 'root', label: 'Root items' },
        { value: 'pos', label: 'POS items' },
      ],
    },
    measure: {
      label: 'Measure',
      when: ({ by }) => by === 'pos',
      options: [
        { value: 'qty', label: 'Quantity' },
        { value: 'net', label: 'Net ₱' },
      ],
    },
  },
  rows: ({ items }, { measure }) =>
    items.map((item) => ({
      id: item.id,
      name: item.name,
      kind: item.kind ?? null,
      unit: (measure === 'qty' && item.unit) || null,
      values: measure === 'net' ? (item.net ?? []) : item.quantities,
      total: measure === 'net' ? (item.netTotal ?? 0) : item.total,
    })),
  columns: (shown) => {
    const { weeks, weekLabels } = shown.answer;
    const [first, last] = [weeks[0], weeks.at(-1)];
    const unit = column.text<Row>('unit', 'Unit', 60, (row) => row.unit);
    const trend: MatrixColumn<Row> = {
      ...column.text('trend', 'Trend', 100, () => null),
      sortable: false,
      cell: (row) => <Spark overTime={row.values} />,
    };
    return across(shown, {
      write: writer(shown.chosen),
      least: 68,
      before: shown.all.some((row) => row.unit) ? [unit] : [],
      atDesk: [trend],
      foot: totalsOf(shown),
      whole: first && last ? { from: first, to: week(last).to } : null,
      points: weeks.map((monday, at) => ({
        key: monday,
        label: shortDay(monday),
        sub: weekTag(weekLabels[at] ?? '', weekLabels[at - 1]),
        title: `${weekLabels[at]}, ${span(week(monday))}`,
        cell: { ...week(monday), storeId: null },
      })),
    });
  },
  aside: ({ answer, rows, chosen: { by } }) =>
    `${plural(rows.length, ...THINGS[by])}${DOT}${plural(answer.weeks.length, 'week')}${DOT}${money(answer.netTotal)} net`,
  notices: ({ answer, state, chosen: { by } }) => (
    <Notices>
      <Gaps unmapped={answer.unmapped} withoutBom={by === 'root' ? answer.withoutBom : undefined} />
      <WithoutSales answer={answer} />
      {(answer.from !== state.range.from || answer.to !== state.range.to) && (
        <Notice quiet>Whole weeks: {span(answer)}.</Notice>
      )}
    </Notices>
  ),
  nothing: ({ answer, state, chosen: { by } }) =>
    answer.netTotal !== 0 &&
    by === 'root' && (
      <MissingBom gap={answer.withoutBom} unmapped={answer.unmapped} state={state} />
    ),
  onName: 'chart',
  kindBesideName: 'atDesk',
  fromEnd: 'atDesk',
  chart: (shown) => <Weeks {...shown} />,
  drilldown: ({ answer: { weeks }, added, chosen }) => ({
    kind: chosen.by,
    what: what(chosen),
    format: writer(chosen),
    inNet: chosen.by === 'pos' && chosen.measure === 'net',
    useSlices: ({ from, to }) =>
      slicesOf(added, ({ values }) =>
        sum(values.filter((_, at) => (weeks[at] ?? '') >= from && (weeks[at] ?? '') <= to)),
      ),
  }),
});

/** Net sales include what the rows leave out; quantities add up within the chosen unit. */
function totalsOf({
  answer,
  added,
  filtered,
  chosen,
}: Pick<Weekly, 'answer' | 'added' | 'filtered' | 'chosen'>) {
  if (filtered || chosen.measure !== 'net') return sumsOf(added, answer.weeks.length);
  return { values: answer.net, total: sum(answer.net) };
}

function Weeks(shown: Weekly) {
  const { state, answer, chosen, all, added, filtered, rows, units, unit } = shown;
  const { weeks, weekLabels } = answer;
  const write = writer(chosen);
  const totals = totalsOf(shown);
  const compared = state.focus.flatMap((id, mark): Series[] => {
    const row = all.find((item) => item.id === id);
    return row && (units.length < 2 || row.unit === unit)
      ? [{ id, label: row.name, values: row.values, mark }]
      : [];
  });
  const some = compared.length > 0;
  const points = weeks.map(
    (monday, at): Point => ({
      key: monday,
      label: weekTick(monday, weeks.length),
      title: `${span(week(monday))}${DOT}${weekLabels[at]?.slice(5)}`,
    }),
  );
  const drawn = units.length > 1 ? rows.filter((row) => row.unit === unit) : rows;
  const inUnit = unit ? `${what(chosen)} in ${unit}` : what(chosen);
  const best = highest(totals.values);
  const summary = [
    `${inUnit} of ${plural(added.length, ...THINGS[chosen.by])} over ${plural(weeks.length, 'week')}: ${write(totals.total)} in all.`,
    points[best] &&
      `The highest week was ${points[best].title} with ${write(totals.values[best] ?? 0)}.`,
    ...compared.map(({ label, values }) => `${label}: ${write(sum(values))}.`),
  ];
  const compareSome = Math.min(drawn.length, COMPARED, MARKS);
  const first = drawn.slice(0, compareSome).map(({ id }) => id);
  const label = filtered ? 'Items shown' : 'All items';

  return (
    <Picture
      state={state}
      title={`${inUnit} per week`}
      summary={summary.filter(Boolean).join(' ')}
      kind={some ? 'line' : 'bar'}
      points={points}
      series={some ? compared : [{ id: 'total', label, values: totals.values, mark: 0 }]}
      format={write}
      legend={some}
      chosen
      onPick={(monday, id) =>
        state.openCell({ ...week(monday), storeId: null, itemId: id === 'total' ? null : id })
      }
      aside={(heat) => (
        <>
          {!some && <UnitChoice {...shown} />}
          <ClearFocus state={state} />
          {!some && !heat && compareSome > 1 && (
            <button type="button" className={frame.link} onClick={() => state.setFocus(first)}>
              Compare the first {compareSome}
            </button>
          )}
        </>
      )}
      heat={{
        other: some ? 'Lines' : 'Bars',
        title: `${inUnit} by item and week`,
        rows: some ? drawn.filter(({ id }) => state.focus.includes(id)) : drawn,
      }}
    />
  );
}
