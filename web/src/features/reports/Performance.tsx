// The median of all stores over the last four weeks, with the best and the last store, above the performance reports.
import type { components } from '#/api/schema.gen';
import { useReportData } from '#/reports/api';
import { namedRanges } from '#/reports/question/ranges';
import { span } from '#/reports/question/weeks';
import { today } from '#/ui/dates';
import { Stores, Tile } from './Management';
import classes from './Summary.module.css';
import { MEASURES, toldOf } from './scoreMeasures';

type Scorecard = components['schemas']['Scorecard'];

const RANGE = 'last-4-weeks';

/** Each figure of the store scorecard: the median beside all stores together, the best store and the last one. */
export function Performance() {
  const range = namedRanges.find(({ id }) => id === RANGE)?.range(today());
  const filters = { from: range?.from ?? '', to: range?.to ?? '', storeIds: [], areaIds: [] };
  const query = useReportData<Scorecard>('store-scorecard', filters, { by: 'store' });
  return (
    <section className={classes.month} aria-label="Last 4 weeks">
      <h2 className={classes.head}>
        Medians of stores, last 4 weeks <span>{span(filters)}</span>
      </h2>
      <div className={classes.tiles}>
        {MEASURES.map((measure) => (
          <Tile
            key={measure.id}
            page="reportStoreScorecard"
            search={{ sort: measure.better === 'more' ? `-${measure.id}` : measure.id }}
            name={`${measure.name}, median`}
            query={query}
          >
            {(answer) => {
              const { value, notes, median, stores } = toldOf(measure, answer);
              const picture = <Stores values={stores} middle={median} write={measure.full} />;
              return { value, notes, picture };
            }}
          </Tile>
        ))}
      </div>
    </section>
  );
}
