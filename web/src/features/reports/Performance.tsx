// The median of all stores over the last four weeks, with the best and the last store, above the performance reports.
import type { components } from '#/api/schema.gen';
import { Spark } from '#/charts/Spark';
import { useReportData } from '#/reports/api';
import { namedRanges } from '#/reports/question/ranges';
import { span } from '#/reports/question/weeks';
import { today } from '#/ui/dates';
import { plural } from '#/ui/format';
import { Tile } from './Management';
import classes from './Summary.module.css';
import { MEASURES, type Measure } from './scoreMeasures';

type Scorecard = components['schemas']['Scorecard'];

const RANGE = 'last-4-weeks';

/** Each figure of the store scorecard: the median, the best store and the last one. */
export function Performance() {
  const range = namedRanges.find(({ id }) => id === RANGE)?.range(today());
  const filters = { from: range?.from ?? '', to: range?.to ?? '', storeIds: [], areaIds: [] };
  const query = useReportData<Scorecard>('store-scorecard', filters, { by: 'store' });
  return (
    <section className={classes.month} aria-label="Last 4 weeks">
      <h2 className={classes.head}>
        Medians of the last 4 weeks <span>{span(filters)}</span>
      </h2>
      <div className={classes.tiles}>
        {MEASURES.map((measure) => (
          <Tile
            key={measure.id}
            page="reportStoreScorecard"
            search={{ sort: measure.better === 'more' ? `-${measure.id}` : measure.id }}
            name={measure.name}
            query={query}
          >
            {(answer) => told(measure, answer)}
          </Tile>
        ))}
      </div>
    </section>
  );
}

function told({ id, full, better }: Measure, { items, medians, total }: Scorecard) {
  const median = medians.find(({ of }) => of === 'all')?.[id];
  const known = items
    .flatMap((row) => (row[id] == null ? [] : [{ name: row.name, value: row[id] }]))
    .sort((a, b) => (better === 'more' ? b.value - a.value : a.value - b.value));
  const [best, last] = [known[0], known.at(-1)];
  const missing = items.length - known.length;
  const middle = median ?? total[id];
  return {
    value: middle == null ? '–' : full(middle),
    notes: [
      best && `Best: ${best.name}, ${full(best.value)}`,
      last && known.length > 1 ? `Last: ${last.name}, ${full(last.value)}` : null,
      missing > 0 ? `Not known of ${plural(missing, 'store')}` : null,
    ],
    picture: known.length > 1 ? <Spark values={known.map(({ value }) => value)} /> : null,
  };
}
