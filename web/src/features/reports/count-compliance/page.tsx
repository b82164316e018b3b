import { useMemo } from 'react';
import type { components } from '#/api/schema.gen';
import { Chart } from '#/charts/Chart';
import { Legend } from '#/charts/Legend';
import { Plot } from '#/charts/Plot';
import type { Series } from '#/charts/types';
import { writeSort } from '#/table/useTableState';
import { count, day, moment, percent, plural, shortDay } from '#/ui/format';
import { exportHref, useReportData } from '../api';
import { matchingNames } from '../filter';
import { Matrix } from '../matrix/Matrix';
import { nextSort, sortRows } from '../matrix/sorting';
import type { MatrixColumn } from '../matrix/types';
import { NothingCounted } from '../NothingCounted';
import { Report } from '../Report';
import { useReport } from '../useReport';
import { span } from '../weeks';
import classes from './page.module.css';

type Schemas = components['schemas'];
type Compliance = Schemas['CountCompliance'];
type Row = Schemas['StoreCompliance'] & { kind: null };
type Session = Schemas['SessionCompliance'];
type State = Session['state'];

const REPORT = 'count-compliance';

/** What became of a count: its word, and the sign that stands for it without colour. */
const STATES: Readonly<Record<State, { word: string; sign: string }>> = {
  done: { word: 'Done', sign: '✓' },
  late: { word: 'Late', sign: '◷' },
  partial: { word: 'In part', sign: '◐' },
  missing: { word: 'Missing', sign: '✕' },
  open: { word: 'Open still', sign: '…' },
};

const SESSIONS: Readonly<Record<string, string>> = { opening: 'Opening', closing: 'Closing' };

/** Which stores counted when they should. */
export default function CountCompliancePage() {
  const state = useReport();
  const query = useReportData<Compliance>(REPORT, state.filters);
  const report = query.data;
  const { phone, range } = state;

  const all = useMemo(
    () => (report?.stores ?? []).map((store): Row => ({ ...store, kind: null })),
    [report],
  );
  const found = useMemo(() => matchingNames(all, state.q), [all, state.q]);

  const columns = useMemo(
    (): MatrixColumn<Row>[] => [
      {
        id: 'missing',
        label: 'Missing',
        width: 82,
        value: ({ totals }) => totals.missing,
        format: count,
        foot: count(report?.totals.missing),
      },
      {
        id: 'late',
        label: 'Late',
        width: 70,
        value: ({ totals }) => totals.late,
        format: count,
        foot: count(report?.totals.late),
      },
      ...(report?.days ?? []).map(
        (date, at): MatrixColumn<Row> => ({
          id: date,
          label: shortDay(date),
          title: day(date),
          width: 74,
          grow: true,
          value: ({ days }) =>
            days[at]?.length
              ? days[at].filter(({ state: one }) => one === 'done').length / days[at].length
              : null,
          format: (value) => percent(value),
          cell: (row) => <Day sessions={row.days[at] ?? []} of={row.of} />,
          foot: percent(report?.byDay[at]?.share, 0),
        }),
      ),
    ],
    [report],
  );
  const share = useMemo(
    (): MatrixColumn<Row> => ({
      id: 'share',
      label: 'In time',
      width: 92,
      value: ({ totals }) => totals.share,
      format: (value) => percent(value),
      foot: percent(report?.totals.share),
    }),
    [report],
  );
  const rows = useMemo(
    () => sortRows(found, state.sort, [...columns, share]),
    [found, state.sort, columns, share],
  );

  const points = useMemo(
    () =>
      (report?.days ?? []).map((date) => ({ key: date, label: shortDay(date), title: day(date) })),
    [report],
  );
  const series = useMemo(
    (): Series[] =>
      (['done', 'late', 'partial', 'missing'] as const).map((one, mark) => ({
        id: one,
        label: STATES[one].word,
        values: (report?.byDay ?? []).map((tally) => tally[one]),
        mark,
      })),
    [report],
  );
  const totals = report?.totals;
  const summary = totals
    ? `${span(range)}: ${count(totals.due)} counts were due; ${count(totals.done)} done in time, ${count(totals.late)} late, ${count(totals.partial)} in part, ${count(totals.missing)} missing.`
    : '';

  return (
    <Report
      page="reportCountCompliance"
      state={state}
      query={query}
      aside={totals && `${percent(totals.share)} of ${count(totals.due)} counts in time`}
      placeholder="Filter stores"
      exportHref={exportHref(REPORT, state.filters)}
      empty={all.length === 0 || totals?.due === 0}
      nothing={<NothingCounted />}
      noMatch={all.length > 0 && found.length === 0}
      many="stores"
      words="Counts by store and day"
      chart={
        <Chart
          title="Counts by day"
          summary={summary}
          fill={state.view === 'chart'}
          height={190}
          legend={<Legend kind="stacked" series={series} lit={null} onLight={() => {}} />}
        >
          <Plot kind="stacked" points={points} series={series} format={count} short={count} />
        </Chart>
      }
      table={
        <Matrix<Row>
          label="Counts by store and day"
          rows={rows}
          columns={columns}
          total={share}
          rowsAre="Store"
          foot={`${plural(rows.length, 'store')}`}
          sort={state.sort}
          onSort={(id, text) => state.set({ sort: writeSort(nextSort(state.sort, id, text)) })}
          markOf={() => null}
          onName={({ name }) => state.set({ q: name })}
          fromEnd
          phone={phone}
          stale={query.isPlaceholderData}
        />
      }
    />
  );
}

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
