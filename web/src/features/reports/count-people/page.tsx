import { useMemo } from 'react';
import type { components } from '#/api/schema.gen';
import { Chart } from '#/charts/Chart';
import { Legend } from '#/charts/Legend';
import { Plot } from '#/charts/Plot';
import type { Series } from '#/charts/types';
import { writeSort } from '#/table/useTableState';
import { count, moment, percent, plural, short } from '#/ui/format';
import { exportHref, useReportData } from '../api';
import { matchingNames } from '../filter';
import { Matrix } from '../matrix/Matrix';
import { nextSort, sortRows } from '../matrix/sorting';
import type { MatrixColumn } from '../matrix/types';
import { NothingCounted } from '../NothingCounted';
import { Report } from '../Report';
import { useReport } from '../useReport';
import { span } from '../weeks';

type Schemas = components['schemas'];
type People = Schemas['CountPeople'];
type Row = Schemas['CountPerson'] & { id: string; kind: null };

const REPORT = 'count-people';
const IN_CHART = 14;
const ON_PHONE = 6;

/** Who counted, how much of it twice, and how much late. */
export default function CountPeoplePage() {
  const state = useReport();
  const query = useReportData<People>(REPORT, state.filters);
  const report = query.data;
  const { phone, range } = state;

  const all = useMemo(
    () => (report?.items ?? []).map((row): Row => ({ ...row, id: row.uid, kind: null })),
    [report],
  );
  const found = useMemo(() => matchingNames(all, state.q), [all, state.q]);
  const columns = useMemo(
    (): MatrixColumn<Row>[] => [
      figure('counts', 'Counts', report?.counts),
      figure('corrections', 'Corrections', report?.corrections),
      figure('late', 'Late', report?.late),
      {
        id: 'lateShare',
        label: 'Late of all',
        width: 110,
        value: ({ late, counts, corrections }) => late / Math.max(1, counts + corrections),
        format: (value) => percent(value),
      },
      figure('days', 'Days'),
      figure('stores', 'Stores'),
      {
        id: 'lastAt',
        label: 'Counted last',
        width: 170,
        align: 'left',
        value: ({ lastAt }) => lastAt,
        cell: ({ lastAt }) => moment(lastAt),
      },
    ],
    [report],
  );
  const rows = useMemo(() => sortRows(found, state.sort, columns), [found, state.sort, columns]);
  const led = found.slice(0, phone ? ON_PHONE : IN_CHART);
  const series: Series[] = [
    { id: 'counts', label: 'Counts', values: led.map((row) => row.counts), mark: 0 },
    { id: 'corrections', label: 'Corrections', values: led.map((row) => row.corrections), mark: 1 },
  ];

  return (
    <Report
      page="reportCountPeople"
      state={state}
      query={query}
      aside={report && `${plural(all.length, 'person', 'people')} · ${count(report.counts)} counts`}
      placeholder="Filter people"
      exportHref={exportHref(REPORT, state.filters)}
      empty={all.length === 0}
      nothing={<NothingCounted />}
      noMatch={all.length > 0 && found.length === 0}
      many="people"
      words="Counts by person"
      chart={
        <Chart
          title="Counts by person"
          summary={`${span(range)}: ${led.map(({ name, counts }) => `${name} ${count(counts)}`).join(', ')}.`}
          fill={state.view === 'chart'}
          height={190}
          legend={<Legend kind="stacked" series={series} lit={null} onLight={() => {}} />}
        >
          <Plot
            kind="stacked"
            points={led.map(({ id, name }) => ({ key: id, label: name, title: name }))}
            series={series}
            format={count}
            short={short}
          />
        </Chart>
      }
      table={
        <Matrix<Row>
          label="Counts by person"
          rows={rows}
          columns={columns}
          total={null}
          rowsAre="Name"
          foot={plural(rows.length, 'person', 'people')}
          sort={state.sort}
          onSort={(id, text) => state.set({ sort: writeSort(nextSort(state.sort, id, text)) })}
          markOf={() => null}
          onName={({ name }) => state.set({ q: name })}
          phone={phone}
          stale={query.isPlaceholderData}
        />
      }
    />
  );
}

function figure(
  id: 'counts' | 'corrections' | 'late' | 'days' | 'stores',
  label: string,
  total?: number,
): MatrixColumn<Row> {
  return {
    id,
    label,
    width: 116,
    value: (row) => row[id],
    format: count,
    foot: total === undefined ? undefined : count(total),
  };
}
