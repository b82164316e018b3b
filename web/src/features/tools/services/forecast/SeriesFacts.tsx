import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link } from 'react-router';
import { pages } from '#/paths';
import { day, percent, plural, qty, shortDay } from '#/ui/format';
import { factorLabel } from '../factors';
import type { Override, Series } from '../forecastApi';
import { againstLastWeek, amountOf, leanADay, methodLabel, whyLabel } from '../measures';
import classes from './Forecast.module.css';
import { aheadOf, overrideOn } from './grain';

interface Props {
  series: Series;
  onOverride?(): void;
  onOpen(override: Override): void;
}

/** The forecast total, its past accuracy, why this method, and other facts. */
export function SeriesFacts({ series, onOverride, onOpen }: Props) {
  return (
    <div className={classes.facts}>
      <Ahead series={series} onOverride={onOverride} />
      <Trials series={series} />
      <Methods series={series} />
      <Events series={series} />
      <Overrides series={series} onOpen={onOpen} />
    </div>
  );
}

function Ahead({ series, onOverride }: Pick<Props, 'series' | 'onOverride'>) {
  const { days, sum, from, to } = aheadOf(series);
  const changed = series.dates.filter(
    (date, at) => series.forecast[at] != null && overrideOn(series, date) !== null,
  ).length;
  return (
    <section className={classes.fact}>
      <h3>Expected</h3>
      {days > 0 ? (
        <>
          <p className={classes.sum}>
            <strong className="num">{amountOf(sum, series.unit)}</strong> in {plural(days, 'day')}
          </p>
          <p className={classes.quiet}>
            {amountOf(sum / days, series.unit)} a day, {day(from)} to {day(to)}
            {changed > 0 && `; ${plural(changed, 'day')} by override`}
          </p>
        </>
      ) : (
        <p className={classes.quiet}>Not forecast.</p>
      )}
      {series.note && <p className={classes.note}>{series.note}</p>}
      {onOverride && days > 0 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPencil size={15} aria-hidden />}
          onClick={onOverride}
        >
          Override days
        </Button>
      )}
    </section>
  );
}

function Trials({ series: { errors, level, unit, ...series } }: Pick<Props, 'series'>) {
  if (!errors) {
    return (
      <section className={classes.fact}>
        <h3>How good it was</h3>
        <p className={classes.quiet}>Too few past days to try it on.</p>
      </section>
    );
  }
  const { days, sum } = aheadOf({ ...series, errors, level, unit });
  const rows = [
    {
      name: 'Off by',
      term: 'WAPE',
      value: errors.wape == null ? '–' : percent(errors.wape),
      words: 'of what was sold',
    },
    {
      name: 'Leans',
      term: 'bias',
      value: leanADay(errors.bias, days > 0 ? sum / days : null, unit) || '–',
    },
    {
      name: 'Against last week',
      term: 'MASE',
      value: qty(errors.mase == null ? null : Math.round(errors.mase * 100) / 100),
      words: againstLastWeek(errors.mase).replace(' than repeating last week', ''),
    },
    {
      name: `Within the ${percent(level, 0)} interval`,
      term: 'coverage',
      value: percent(errors.coverage, 0),
      words: 'of days',
    },
  ];
  return (
    <section className={classes.fact}>
      <h3>How good it was</h3>
      <p className={classes.quiet}>
        {plural(errors.origins, 'trial')} on past days
        {series.candidates.length > 1 &&
          ', each half by the method that the other half would choose'}
      </p>
      <dl className={classes.measures}>
        {rows.map(({ name, term, value, words }) => (
          <div key={name} title={term}>
            <dt>{name}</dt>
            <dd className="num">
              {value} {words && <small>{words}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Methods({ series }: Pick<Props, 'series'>) {
  const { candidates, method } = series;
  if (!method) return null;
  const most = Math.max(...candidates.map(({ wape }) => wape ?? 0), 0.0001);
  const sorted = candidates.toSorted((a, b) => (a.wape ?? 9e9) - (b.wape ?? 9e9));
  return (
    <section className={classes.fact}>
      <h3>Method</h3>
      <p>
        <strong>{methodLabel(method)}</strong>
      </p>
      <p className={classes.quiet}>{whyLabel(series)}</p>
      {candidates.length > 1 && (
        <table className={classes.candidates}>
          <caption className="sr-only">Methods tried on past days</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">Method</th>
              <th scope="col">Off by</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((one) => (
              <tr key={one.method} data-chosen={one.method === method || undefined}>
                <th scope="row">
                  {methodLabel(one.method)}
                  {one.method === method && <small> chosen</small>}
                  {one.method === candidates[0]?.method && one.method !== method && (
                    <small> usual</small>
                  )}
                </th>
                <td className="num">
                  <span
                    className={classes.bar}
                    style={{ width: `${((one.wape ?? 0) / most) * 56}px` }}
                    aria-hidden
                  />
                  {percent(one.wape)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Events({ series }: Pick<Props, 'series'>) {
  const { from } = aheadOf(series);
  const coming = series.events.filter(({ date }) => from !== '' && date >= from);
  if (coming.length === 0) return null;
  return (
    <section className={classes.fact}>
      <h3>
        Events ahead <Link to={pages.toolsForecastEvents.path}>Calendar</Link>
      </h3>
      <ul className={classes.lines}>
        {coming.map(({ date, name, factor }) => (
          <li key={`${date}${name}`}>
            <span>
              {shortDay(date)} {name}
            </span>
            <span className="num">{factor == null ? 'no effect here' : factorLabel(factor)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Overrides({ series, onOpen }: Pick<Props, 'series' | 'onOpen'>) {
  if (series.overrides.length === 0) return null;
  return (
    <section className={classes.fact}>
      <h3>Overrides</h3>
      <ul className={classes.lines}>
        {series.overrides.map((one) => (
          <li key={one.id}>
            <button type="button" className={classes.link} onClick={() => onOpen(one)}>
              {amountOf(Number(one.qty), series.unit)} a day, {shortDay(one.from)}
              {one.to !== one.from && ` to ${shortDay(one.to)}`}
            </button>
            <span className={classes.quiet}>
              {one.reason} ({one.updatedBy.name})
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
