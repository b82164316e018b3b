import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import { column } from '#/reports/columns';
import { defineReport } from '#/reports/define';
import type { MatrixColumn } from '#/reports/matrix/types';
import { Picture } from '#/reports/Picture';
import type { ReportState } from '#/reports/question/useReport';
import { span } from '#/reports/question/weeks';
import { count, day, moment, percent, plural, shortDay } from '#/ui/format';
import { sum } from '#/ui/sums';
import { NothingCounted } from '../NothingCounted';
import classes from './page.module.css';

type Schemas = components['schemas'];
type Compliance = Schemas['CountCompliance'];
type Row = Schemas['StoreCompliance'] & { kind: null };
type Session = Schemas['SessionCompliance'];
type State = Session['state'];

/** The outcome of a count: its label, and a sign that works without colour. */
const STATES: Readonly<Record<State, { word: string; sign: string }>> = {
  done: { word: 'Done', sign: '✓' },
  late: { word: 'Late', sign: '◷' },
  partial: { word: 'In part', sign: '◐' },
  missing: { word: 'Missing', sign: '✕' },
  open: { word: 'Open still', sign: '…' },
};

const SESSIONS: Readonly<Record<string, string>> = { opening: 'Opening', closing: 'Closing' };

/** Which stores counted on time. */
export default defineReport<Compliance, Row>({
  page: 'reportCountCompliance',
  name: 'count-compliance',
  things: () => ['store', 'stores'],
  words: () => 'Counts by store and day',
  rows: ({ stores }) => stores.map((store) => ({ ...store, kind: null })),
  columns: ({ answer: { days }, found, state }) => ({
    columns: [
      column.count('missing', 'Missing', 82, (row) => row.totals.missing, {
        foot: count(sum(found.map(({ totals }) => totals.missing))),
      }),
      column.count('late', 'Late', 70, (row) => row.totals.late, {
        foot: count(sum(found.map(({ totals }) => totals.late))),
      }),
      ...days.map(
        (date, at): MatrixColumn<Row> =>
          column.share(date, shortDay(date), 74, (row) => inTime(row.days[at]), {
            title: day(date),
            grow: true,
            onPickRow: sheetOf(state, date, at),
            cell: (row) => <Day sessions={row.days[at] ?? []} of={row.of} />,
            foot: percent(inTime(found.flatMap((row) => due(row.days[at]))), 0),
          }),
      ),
    ],
    total: column.share('share', 'In time', 92, (row) => row.totals.share, {
      foot: percent(
        share(
          sum(found.map(({ totals }) => totals.done)),
          sum(found.map(({ totals }) => totals.due)),
        ),
      ),
    }),
  }),
  foot: ({ rows }) => `Total of ${plural(rows.length, 'store')}`,
  aside: ({ answer: { totals } }) =>
    `${percent(totals.share)} of ${plural(totals.due, 'count')} in time`,
  empty: ({ totals }) => totals.due === 0,
  nothing: () => <NothingCounted />,
  onName: 'filter',
  fromEnd: 'always',
  chart: ({ state, answer: { days, byDay, totals } }) => (
    <Picture
      state={state}
      title="Counts by day"
      summary={`${span(state.range)}: ${plural(totals.due, 'count was', 'counts were')} due; ${count(totals.done)} done in time, ${count(totals.late)} late, ${count(totals.partial)} in part, ${count(totals.missing)} missing.`}
      height={190}
      kind="stacked"
      points={days.map((date) => ({ key: date, label: shortDay(date), title: day(date) }))}
      series={(['done', 'late', 'partial', 'missing'] as const).map((one, mark) => ({
        id: one,
        label: STATES[one].word,
        values: byDay.map((tally) => tally[one]),
        mark,
      }))}
      format={count}
      short={count}
    />
  ),
});

/** Opens the count of a store's day: of its sessions the first that is not done in time. */
function sheetOf(state: ReportState, date: string, at: number): ((row: Row) => void) | undefined {
  const open = state.leadTo('storesCount');
  return (
    open &&
    ((row) => {
      const sessions = row.days[at] ?? [];
      const shown = sessions.find((one) => one.state !== 'done') ?? sessions[0];
      const search = { store: row.id, date, session: shown?.session };
      if (shown) open(to('storesCount', null, search));
    })
  );
}

const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** The share of a day's counts done on time. */
function inTime(sessions: readonly Session[] = []): number | null {
  return share(sessions.filter(({ state }) => state === 'done').length, sessions.length);
}

/** The counts whose window has ended. */
const due = (sessions: readonly Session[] = []): readonly Session[] =>
  sessions.filter(({ state }) => state !== 'open');

function Day({ sessions, of }: { sessions: readonly Session[]; of: number }) {
  return (
    <span className={classes.day}>
      {sessions.map((one) => {
        const { word, sign } = STATES[one.state];
        const which = SESSIONS[one.session] ?? 'Count';
        const said = [
          `${which}: ${word.toLowerCase()}`,
          `${count(one.counted)} of ${count(of)} items`,
          one.late ? `${count(one.late)} late` : '',
          one.lastAt ? `last ${moment(one.lastAt)}` : '',
        ];
        return (
          <span
            key={one.session}
            className={classes.sign}
            data-state={one.state}
            role="img"
            aria-label={said.filter(Boolean).join(', ')}
            title={said.filter(Boolean).join(', ')}
          >
            {sign}
          </span>
        );
      })}
    </span>
  );
}
