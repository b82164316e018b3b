// Sales by day: rows of any kind, each with net sales, quantity, share of the day and change from
// the same weekday a week before.
import type { components } from '#/api/schema.gen';
import { MARKS, REST } from '#/charts/marks';
import type { Series } from '#/charts/types';
import type { PageKey } from '#/paths';
import { amount, change, DOT, money, percent, plural, qty, short, shortDay } from '#/ui/format';
import { across, sumsOf } from './across';
import type { Filters, ReportNamed } from './api';
import { type Slices, slicesOf } from './Drilldown';
import { defineReport } from './define';
import type { Found, Shown } from './found';
import { Gaps, Notice, Notices, WithoutSales } from './frame/Notices';
import { leaders } from './numbers';
import { ClearFocus, Picture } from './Picture';
import { span, weekday } from './question/weeks';

type DailySales = components['schemas']['DailySales'];
type DailyRow = components['schemas']['DailyRow'];
type Measure = 'net' | 'qty' | 'mix' | 'change';
type Row = ReturnType<typeof rowOf>;
type Chosen = { measure: Measure };

/** The prefix of a row's id in the address, which also holds item ids. */
const ROW = 'row:';
const OTHERS = 'others';

interface Said {
  what: string;
  write(value: number): string;
  /** For an axis. */
  short(value: number): string;
  adds?: true;
}

const MEASURES: Record<Measure, Said> = {
  net: { what: 'Net sales', write: amount, short, adds: true },
  qty: { what: 'Quantity', write: qty, short, adds: true },
  mix: {
    what: 'Share of net sales',
    write: (value) => percent(value),
    short: (value) => percent(value, 0),
  },
  change: {
    what: 'Change against a week before',
    write: (value) => change(value),
    short: (value) => change(value, 0),
  },
};

const rowOf = (row: DailyRow, measure: Measure) => ({
  id: ROW + row.id,
  name: row.name,
  kind: null,
  net: row.net,
  values: { net: row.nets, qty: row.quantities, mix: row.mixes, change: row.changes }[measure],
  total: { net: row.net, qty: row.qty, mix: row.mix, change: row.change }[measure] ?? null,
});

interface Sold {
  id: string;
  name: string;
  net: number;
  qty: number;
}

interface DailyReport {
  page: PageKey;
  /** Its wire name. */
  name: ReportNamed<DailySales>;
  /** The noun for rows, singular and plural. */
  things: readonly [string, string];
  /** The items sold in a range, of one row or of all; a hook. `on` enables it. */
  useItems(
    filters: Filters,
    rowId: string | null,
    on: boolean,
  ): Required<Pick<Slices, 'query'>> & { items: readonly Sold[] };
}

/** The page of a sales-by-day report. */
export function dailyReport({ page, name, things, useItems }: DailyReport) {
  return defineReport<DailySales, Row, Chosen>({
    page,
    name,
    things: () => things,
    words: ({ measure }) => `${MEASURES[measure].what} by ${things[0]} and day`,
    choices: {
      measure: {
        label: 'Measure',
        asked: 'file',
        options: [
          { value: 'net', label: 'Net ₱' },
          { value: 'qty', label: 'Quantity' },
          { value: 'mix', label: 'Mix' },
          { value: 'change', label: 'Change' },
        ],
      },
    },
    rows: ({ items }, { measure }) => items.map((item) => rowOf(item, measure)),
    columns: (shown) =>
      across(shown, {
        write: MEASURES[shown.chosen.measure].write,
        least: 76,
        foot: footOf(shown),
        whole: { from: shown.answer.from, to: shown.answer.to },
        points: shown.answer.days.map((day) => ({
          ...pointOf(day),
          sub: weekday(day),
          cell: { from: day, to: day, storeId: null },
        })),
      }),
    aside: ({ answer, rows }) =>
      `${plural(rows.length, ...things)}${DOT}${plural(answer.days.length, 'day')}${DOT}${money(answer.total.net)} net`,
    notices: ({ answer, chosen }) => (
      <Notices>
        <Gaps unmapped={answer.unmapped} />
        <WithoutSales answer={answer} />
        {chosen.measure === 'change' && answer.leftOut > 0 && (
          <Notice>
            Changes leave out {plural(answer.leftOut, 'store-day')}: there or a week before, sales
            are missing.
          </Notice>
        )}
      </Notices>
    ),
    onName: 'chart',
    fromEnd: 'atDesk',
    chart: (shown) => <Days {...shown} things={things} />,
    drilldown: ({ state: { filters }, chosen: { measure } }) => ({
      kind: 'pos',
      what: measure === 'qty' ? 'Quantity' : 'Net sales',
      format: measure === 'qty' ? qty : amount,
      inNet: measure !== 'qty',
      isSum: (id) => id.startsWith(ROW),
      useSlices: ({ from, to, itemId }) => {
        const rowId = itemId?.slice(ROW.length) ?? null;
        const { items, query } = useItems({ ...filters, from, to }, rowId, true);
        return { ...slicesOf(items, (item) => (measure === 'qty' ? item.qty : item.net)), query };
      },
      useName: (cell) => {
        const { items } = useItems({ ...filters, ...cell }, null, cell !== null);
        return items.find(({ id }) => id === cell?.itemId)?.name ?? null;
      },
    }),
  });
}

const pointOf = (day: string) => ({
  key: day,
  label: shortDay(day),
  title: `${weekday(day)}, ${span({ from: day, to: day })}`,
});

/** Shares and changes do not add up: the footer has those of all rows, or none. */
function footOf({ answer, added, chosen, filtered }: Found<DailySales, Row, Chosen>) {
  const days = answer.days.length;
  if (!filtered) return rowOf(answer.total, chosen.measure);
  return MEASURES[chosen.measure].adds ? sumsOf(added, days) : { values: [], total: null };
}

function Days(props: Shown<DailySales, Row, Chosen> & Pick<DailyReport, 'things'>) {
  const { state, answer, found, rows, chosen, things } = props;
  const { what, write, short: onAxis } = MEASURES[chosen.measure];
  const changes = chosen.measure === 'change';
  const wished = state.focus.flatMap((id) => found.find((row) => row.id === id) ?? []);
  const { top, rest } = leaders(found, MARKS - 1, ({ net }) => net);
  const series: Series[] = (wished.length ? wished : top).map(({ id, name, values }, mark) => ({
    id,
    label: name,
    values,
    mark,
  }));
  if (rest.length > 0 && wished.length === 0 && !changes) {
    const { values } = sumsOf(rest, answer.days.length);
    series.push({ id: OTHERS, label: `Other ${things[1]}`, values, mark: REST });
  }
  return (
    <Picture
      state={state}
      title={`${what} by day`}
      summary={`${what}, ${span(answer)}. ${found.map(({ name, total }) => `${name}: ${total === null ? 'none' : write(total)}.`).join(' ')}`}
      kind={changes ? 'line' : 'stacked'}
      points={answer.days.map(pointOf)}
      series={series}
      format={write}
      short={onAxis}
      legend
      chosen={wished.length > 0}
      onPick={(day, id) =>
        state.openCell({ from: day, to: day, storeId: null, itemId: id === OTHERS ? null : id })
      }
      aside={wished.length > 0 && <ClearFocus state={state} />}
      heat={
        changes
          ? undefined
          : {
              other: 'Bars',
              title: `${what} by ${things[0]} and day`,
              rows: wished.length ? wished : rows,
            }
      }
    />
  );
}
