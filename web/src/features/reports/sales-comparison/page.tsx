import type { components } from '#/api/schema.gen';
import { useReportData } from '#/reports/api';
import { column } from '#/reports/columns';
import { slicesOf } from '#/reports/Drilldown';
import { defineReport } from '#/reports/define';
import type { Shown } from '#/reports/found';
import { Notice, Notices, WithoutSales } from '#/reports/frame/Notices';
import type { MatrixColumn } from '#/reports/matrix/types';
import { Picture } from '#/reports/Picture';
import { span, weekday } from '#/reports/question/weeks';
import type { Range } from '#/ui/dates';
import { amount, change, count, DOT, money, plural, shortDay } from '#/ui/format';
import { sum } from '#/ui/sums';
import {
  type Against,
  alikeWords,
  type Comparison,
  type ComparisonRow,
  compared,
  leftOutWords,
} from '../paired';
import { type By, byChoice, openStores, things } from '../storeRows';

type ProductSales = components['schemas']['ProductSales'];
type Row = ComparisonRow & { kind: null };
type Chosen = { by: By };
type Side = 'previous' | 'year';

const WHEN: Record<Side, string> = { previous: 'before', year: 'a year before' };

/** Sales against earlier weeks and the year before, on the same weekdays. */
export default defineReport<Comparison, Row, Chosen>({
  page: 'reportSalesComparison',
  name: 'sales-comparison',
  usual: 'last-4-weeks',
  things,
  words: ({ by }) => `Sales by ${things({ by })[0]}, against the previous period and a year before`,
  choices: byChoice,
  rows: ({ items }) => items.map((row) => ({ ...row, kind: null })),
  columns: ({ answer, state, chosen, found, filtered }) => {
    const pick = (range: Range) => (row: Row | null) => {
      if (row && chosen.by !== 'store') openStores(state, row.storeIds);
      else state.openCell({ ...rangeOf(range), storeId: row?.id ?? null, itemId: null });
    };
    const total = (of: (row: Row) => number) => amount(sum(found.map(of)));
    const whole = { ...answer.total, kind: null } satisfies Row;
    const side = (name: Side): MatrixColumn<Row>[] => [
      column.amount(`${name}Before`, 'Net ₱', 118, (row) => row[name].before, {
        least: 114,
        sub: WHEN[name],
        title: `Net sales ${span(answer[name])}`,
        foot: total((row) => row[name].before),
        onPick: pick(answer[name]),
      }),
      column.change(`${name}Change`, 'Change', 84, (row) => row[name].change, {
        least: 74,
        sub: 'all stores',
        title: 'On the days that both ranges have',
        foot: filtered ? undefined : change(whole[name].change),
      }),
      column.count(`${name}Days`, 'Days', 96, (row) => row[name].comparedDays, {
        least: 86,
        sub: 'compared',
        title: 'Store-days that both ranges have; the others are left out of the change',
        cell: (row) => compared(row[name]),
        foot: filtered ? undefined : compared(whole[name]),
      }),
      column.change(`${name}Like`, 'Change', 96, (row) => row[name].likeChange, {
        least: 84,
        sub: 'like for like',
        title: 'On the days that both ranges have, of the stores that were open in both',
        foot: filtered ? undefined : change(whole[name].likeChange),
      }),
      column.count(`${name}Stores`, 'Stores', 92, (row) => row[name].likeStores, {
        least: 80,
        sub: 'like for like',
        foot: count(sum(found.map((row) => row[name].likeStores))),
      }),
    ];
    return {
      columns: [
        column.amount('net', 'Net ₱', 124, (row) => row.net, {
          least: 116,
          title: `Net sales ${span(answer)}`,
          foot: total((row) => row.net),
          onPick: pick(answer),
        }),
        ...side('previous'),
        ...side('year'),
        column.count('days', 'Days sold', 88, (row) => row.days, {
          least: 78,
          foot: count(sum(found.map((row) => row.days))),
        }),
      ],
    };
  },
  aside: ({ answer: { total } }) =>
    [
      `${money(total.net)} net`,
      total.previous.likeStores > 0 && `${said(total.previous)} against previous period`,
      total.year.likeStores > 0 && `${said(total.year)} against a year before`,
      total.previous.likeStores + total.year.likeStores > 0 && 'like for like',
      total.previous.leftOut > 0 && `${plural(total.previous.leftOut, 'store-day')} left out`,
    ]
      .filter(Boolean)
      .join(DOT),
  empty: ({ total }) => total.net === 0 && total.previous.before === 0 && total.year.before === 0,
  notices: ({ answer, state }) => (
    <Notices>
      <WithoutSales answer={answer} />
      <Notice quiet>
        Same weekdays: {span(answer.previous)} before, {span(answer.year)} a year before.
      </Notice>
      {answer.to < state.range.to && (
        <Notice>
          No sales yet after {span({ from: answer.to, to: answer.to })}: all ranges end there.
        </Notice>
      )}
      <Notice quiet>
        Like for like are stores open in both ranges, on the days that both have:{' '}
        {alikeWords(answer.total.previous, answer.previous.unlike)}
        {answer.total.year.before > 0 &&
          `; a year before, ${alikeWords(answer.total.year, answer.year.unlike)}`}
        . A closed day counts as zero.
      </Notice>
      {answer.previous.leftOut.length > 0 && (
        <Notice>
          Changes leave out {leftOutWords(answer.previous.leftOut, answer.to.slice(0, 4))}.
        </Notice>
      )}
      {answer.total.year.before === 0 ? (
        <Notice quiet>Nothing was sold a year before.</Notice>
      ) : (
        answer.year.leftOut.length > 0 && (
          <Notice>
            Changes against a year before leave out{' '}
            {leftOutWords(answer.year.leftOut, answer.to.slice(0, 4))}.
          </Notice>
        )
      )}
    </Notices>
  ),
  onName: 'filter',
  chart: (shown) => <Days {...shown} />,
  drilldown: ({ state: { filters } }) => ({
    kind: 'pos',
    what: 'Net sales',
    format: amount,
    inNet: true,
    useSlices: ({ from, to, storeId }) => {
      const asked = storeId ? { storeIds: [storeId], areaIds: [] } : filters;
      const query = useReportData<ProductSales>('product-sales-by-store', { ...asked, from, to });
      return { ...slicesOf(query.data?.items ?? [], (item) => item.net), query };
    },
  }),
});

const said = ({ likeChange }: Against) => change(likeChange);
const rangeOf = ({ from, to }: Range) => ({ from, to });

function Days({ state, answer }: Shown<Comparison, Row, Chosen>) {
  const { nets, previous, year, total } = answer;
  const start = Date.parse(answer.from);
  const day = (at: number) => new Date(start + at * 86_400_000).toISOString().slice(0, 10);
  const line = (id: string, label: string, values: readonly number[], mark: number) => ({
    id,
    label,
    values,
    mark,
  });
  return (
    <Picture
      state={state}
      title="Net sales by day"
      summary={`${span(answer)}: ${money(total.net)}. ${span(previous)}: ${money(total.previous.before)}, ${change(total.previous.change)}. ${span(year)}: ${money(total.year.before)}, ${change(total.year.change)}. ${plural(total.previous.likeStores, 'store is', 'stores are')} like for like with the previous period. The changes are over ${compared(total.previous)} and ${compared(total.year)} store-days.`}
      kind="line"
      legend
      points={nets.map((_, at) => ({
        key: day(at),
        label: shortDay(day(at)),
        title: `${weekday(day(at))}, ${span({ from: day(at), to: day(at) })}`,
      }))}
      series={[
        line('now', 'These days', nets, 0),
        line('previous', 'Before', previous.nets, 1),
        ...(total.year.before ? [line('year', 'A year before', year.nets, 2)] : []),
      ]}
      format={amount}
      onPick={(at) => state.openCell({ from: at, to: at, storeId: null, itemId: null })}
    />
  );
}
