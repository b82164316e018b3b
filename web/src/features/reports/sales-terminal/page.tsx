import type { components } from '#/api/schema.gen';
import { MARKS, REST } from '#/charts/marks';
import type { Series } from '#/charts/types';
import { across, sumsOf } from '#/reports/across';
import { column } from '#/reports/columns';
import { defineReport } from '#/reports/define';
import type { Found, Shown } from '#/reports/found';
import { Notice, Notices, WithoutSales } from '#/reports/frame/Notices';
import { leaders } from '#/reports/numbers';
import { ClearFocus, Picture } from '#/reports/Picture';
import { span, weekday } from '#/reports/question/weeks';
import { amount, count, DOT, money, percent, plural, short, shortDay } from '#/ui/format';
import { TICKET } from '../scoreMeasures';
import { TillDrawer } from './TillDrawer';

type Schemas = components['schemas'];
type Till = Schemas['TillSales'];
type Answer = Schemas['TerminalSales'];
type Measure = 'net' | 'receipts' | 'ticket' | 'share';
type Chosen = { measure: Measure };
type Row = ReturnType<typeof rowOf>;

const OTHERS = 'others';

interface Said {
  what: string;
  write(value: number): string;
  /** For an axis. */
  short(value: number): string;
  days(till: Till): readonly (number | null)[];
  all(till: Till): number | null | undefined;
  adds?: true;
}

const MEASURES: Record<Measure, Said> = {
  net: {
    what: 'Net sales',
    write: amount,
    short,
    days: (till) => till.nets,
    all: (till) => till.net,
    adds: true,
  },
  receipts: {
    what: 'Receipts',
    write: count,
    short,
    days: (till) => till.receipts,
    all: (till) => till.receiptCount,
    adds: true,
  },
  ticket: {
    what: 'Average ticket',
    write: amount,
    short,
    days: (till) => till.tickets,
    all: (till) => till.ticket,
  },
  share: {
    what: 'Share of net sales',
    write: (value) => percent(value),
    short: (value) => percent(value, 0),
    days: (till) => till.shares,
    all: (till) => till.share,
  },
};

/** A till's label. */
const tillName = ({ storeName, terminal }: Till) =>
  `${storeName} · ${terminal ? `Till ${terminal}` : 'No till named'}`;

const rowOf = (till: Till, measure: Measure) => ({
  id: till.id,
  name: tillName(till),
  kind: null,
  till,
  values: MEASURES[measure].days(till),
  total: MEASURES[measure].all(till) ?? null,
});

/** Each till's sales by day. */
export default defineReport<Answer, Row, Chosen>({
  page: 'reportSalesTerminal',
  name: 'sales-terminal',
  usual: 'last-4-weeks',
  things: () => ['till', 'tills'],
  words: ({ measure }) => `${MEASURES[measure].what} by till and day`,
  choices: {
    measure: {
      label: 'Measure',
      asked: 'file',
      options: [
        { value: 'net', label: 'Net ₱' },
        { value: 'receipts', label: 'Receipts' },
        { value: 'ticket', label: 'Ticket ₱' },
        { value: 'share', label: 'Share' },
      ],
    },
  },
  rows: ({ items }, { measure }) => items.map((till) => rowOf(till, measure)),
  columns: (shown) =>
    across(shown, {
      write: MEASURES[shown.chosen.measure].write,
      least: 76,
      atDesk:
        shown.chosen.measure === 'ticket'
          ? [column.count('tickets', 'Tickets', 88, (row) => row.till.ticketCount)]
          : [],
      foot: footOf(shown),
      whole: { from: shown.answer.from, to: shown.answer.to },
      points: shown.answer.days.map((day) => ({
        ...pointOf(day),
        sub: weekday(day),
        cell: { from: day, to: day, storeId: null },
      })),
    }),
  aside: ({ answer: { total }, rows }) =>
    [
      plural(rows.length, 'till'),
      `${money(total.net)} net`,
      plural(total.receiptCount, 'receipt'),
      total.ticket != null &&
        `${money(total.ticket)} a ticket, of ${plural(total.ticketCount, 'ticket')}`,
    ]
      .filter(Boolean)
      .join(DOT),
  notices: ({ answer, chosen }) => (
    <Notices>
      <WithoutSales answer={answer} />
      {chosen.measure === 'ticket' && <Notice quiet>{TICKET}</Notice>}
    </Notices>
  ),
  onName: 'chart',
  fromEnd: 'atDesk',
  chart: (shown) => <Days {...shown} />,
  drawer: (state, shown) => (
    <TillDrawer state={state} rows={shown?.all ?? []} answer={shown?.answer} />
  ),
});

const pointOf = (day: string) => ({
  key: day,
  label: shortDay(day),
  title: `${weekday(day)}, ${span({ from: day, to: day })}`,
});

/** Tickets and shares do not add up: the footer has those of all tills, or none. */
function footOf({ answer, added, chosen, filtered }: Found<Answer, Row, Chosen>) {
  if (!filtered) return rowOf(answer.total, chosen.measure);
  return MEASURES[chosen.measure].adds
    ? sumsOf(added, answer.days.length)
    : { values: [], total: null };
}

function Days({ state, answer, found, rows, chosen }: Shown<Answer, Row, Chosen>) {
  const { what, write, short: onAxis, adds } = MEASURES[chosen.measure];
  const wished = state.focus.flatMap((id) => found.find((row) => row.id === id) ?? []);
  const { top, rest } = leaders(found, MARKS - 1, ({ till }) => till.net);
  const series: Series[] = (wished.length ? wished : top).map(({ id, name, values }, mark) => ({
    id,
    label: name,
    values,
    mark,
  }));
  if (rest.length > 0 && wished.length === 0 && adds) {
    const { values } = sumsOf(rest, answer.days.length);
    series.push({ id: OTHERS, label: 'Other tills', values, mark: REST });
  }
  return (
    <Picture
      state={state}
      title={`${what} by day`}
      summary={`${what}, ${span(answer)}. ${found.map(({ name, total }) => `${name}: ${total === null ? 'none' : write(total)}.`).join(' ')}`}
      kind={chosen.measure === 'ticket' ? 'line' : 'stacked'}
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
      heat={{
        other: chosen.measure === 'ticket' ? 'Lines' : 'Bars',
        title: `${what} by till and day`,
        rows: wished.length ? wished : rows,
      }}
    />
  );
}
