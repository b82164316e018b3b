import type { components } from '#/api/schema.gen';
import { column } from '#/reports/columns';
import { defineReport } from '#/reports/define';
import { Picture } from '#/reports/Picture';
import { span } from '#/reports/question/weeks';
import { count, DOT, moment, percent, plural } from '#/ui/format';
import { sum } from '#/ui/sums';
import { NothingCounted } from '../NothingCounted';
import { CountsDrawer, openCounts } from './CountsDrawer';

type People = components['schemas']['CountPeople'];
type Row = People['items'][number] & { id: string; kind: null };

const IN_CHART = 14;
const ON_PHONE = 6;

/** Who counted, how much was recounted, and how much was late. */
export default defineReport<People, Row>({
  page: 'reportCountPeople',
  name: 'count-people',
  things: () => ['person', 'people'],
  rowsAre: () => 'Name',
  words: () => 'Counts by person',
  rows: ({ items }) => items.map((row) => ({ ...row, id: row.uid, kind: null })),
  columns: ({ found, state }) => ({
    columns: [
      column.count<Row>('counts', 'Counts', 116, (row) => row.counts, {
        foot: count(total(found).counts),
        onPickRow: openCounts(state, 'counts'),
      }),
      column.count<Row>('corrections', 'Corrections', 116, (row) => row.corrections, {
        foot: count(total(found).corrections),
        onPickRow: openCounts(state, 'corrections'),
      }),
      column.count<Row>('late', 'Late', 116, (row) => row.late, {
        foot: count(total(found).late),
        onPickRow: openCounts(state, 'late'),
      }),
      column.share<Row>('lateShare', 'Late of all', 110, lateShare, {
        foot: percent(lateShare(total(found))),
        onPickRow: openCounts(state, 'late'),
      }),
      // These may overlap between people, so they do not add up.
      column.count<Row>('days', 'Days', 116, (row) => row.days, {
        onPickRow: openCounts(state, 'days'),
      }),
      column.count<Row>('stores', 'Stores', 116, (row) => row.stores, {
        onPickRow: openCounts(state, 'stores'),
      }),
      column.text<Row>('lastAt', 'Counted last', 170, (row) => row.lastAt, {
        cell: ({ lastAt }) => moment(lastAt),
        onPickRow: openCounts(state, 'days'),
      }),
    ],
  }),
  foot: ({ rows }) => `Total of ${plural(rows.length, 'person', 'people')}`,
  aside: ({ all, answer }) =>
    `${plural(all.length, 'person', 'people')}${DOT}${plural(answer.counts, 'count')}`,
  nothing: () => <NothingCounted />,
  onName: 'filter',
  drawer: (state, shown) => (
    <CountsDrawer state={state} nameOf={(uid) => shown?.all.find((row) => row.uid === uid)?.name} />
  ),
  chart: ({ state, found }) => {
    const led = found.slice(0, state.phone ? ON_PHONE : IN_CHART);
    return (
      <Picture
        state={state}
        title="Counts by person"
        summary={`${span(state.range)}: ${led.map(({ name, counts }) => `${name} ${count(counts)}`).join(', ')}.`}
        height={190}
        kind="stacked"
        points={led.map(({ id, name }) => ({ key: id, label: name, title: name }))}
        series={[
          { id: 'counts', label: 'Counts', values: led.map((row) => row.counts), mark: 0 },
          { id: 'again', label: 'Corrections', values: led.map((row) => row.corrections), mark: 1 },
        ]}
        format={count}
      />
    );
  },
});

type Figures = Pick<Row, 'counts' | 'corrections' | 'late'>;

/** The totals of the shown people. */
function total(people: readonly Row[]): Figures {
  return {
    counts: sum(people.map(({ counts }) => counts)),
    corrections: sum(people.map(({ corrections }) => corrections)),
    late: sum(people.map(({ late }) => late)),
  };
}

function lateShare({ late, counts, corrections }: Figures): number {
  return late / Math.max(1, counts + corrections);
}
