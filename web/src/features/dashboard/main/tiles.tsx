import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import {
  change,
  count,
  DOT,
  day,
  moment,
  money,
  percent,
  plural,
  shortDay,
  withDots,
} from '#/ui/format';
import type { Sales, Tile, Waiting } from './api';
import classes from './Home.module.css';
import { changeOf } from './order';
import { Bars, Line, Progress } from './pictures';
import { StoreMap } from './StoreMap';

/** The most items a tile names. */
const NAMED = 3;

/** A tile's content; brief: only its name, linked to its list. */
export function Inside({ tile, brief }: { tile: Tile; brief?: boolean }) {
  const { title, sales, stores, waiting } = tile;
  if (brief && waiting) {
    return (
      <Link to={waiting.href} className={classes.brief} title={waiting.words || undefined}>
        {title}
      </Link>
    );
  }
  if (sales) return <SalesTile title={title} sales={sales} />;
  if (stores) return <StoreMap title={title} map={stores} />;
  if (waiting) return <WaitingTile title={title} waiting={waiting} />;
  return (
    <>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.failed} role={tile.failed ? 'alert' : undefined}>
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
        {tile.failed
          ? 'This could not be read just now. The rest of the page is right.'
          : 'Loading…'}
      </p>
    </>
  );
}

function Change({ now, before }: { now: number; before: number | null | undefined }) {
  const share = changeOf(now, before);
  if (share === null) return <span className={classes.change}>nothing to compare with</span>;
  const way = share > 0.0005 ? 'up' : share < -0.0005 ? 'down' : 'same';
  return (
    <span className={classes.change} data-way={way}>
      {{ up: '▲', down: '▼', same: '=' }[way]} {change(share)}
    </span>
  );
}

interface ComparedProps {
  /** The figure above. */
  shown: number;
  /** What of it has a counterpart. */
  now: number;
  before: number | null | undefined;
  /** How many stores or store-days were compared. */
  of: string;
}

/** Both sides of a comparison, so that its change can be checked: not all of the figure above may be compared. */
function Compared({ shown, now, before, of }: ComparedProps) {
  if (before == null) return null;
  return (
    <>
      , {now !== shown && <span className="num">{money(now)} after </span>}
      <span className="num">{money(before)}</span>, over {of}
    </>
  );
}

function SalesTile({ title, sales }: { title: string; sales: Sales }) {
  const mayReport = useCan('reports/reports', 'view');
  const { day: of, until, wholeDays } = sales;
  const today = sales.isToday ? 'Today' : day(of);
  const stores = `${count(sales.storesCompared)} of ${plural(sales.storesCompared + sales.storesLeftOut, 'store')}`;
  const last = `last week${until ? ` until ${until}` : ''}`;
  return (
    <>
      <h2 className={classes.title}>
        {mayReport ? (
          <Link to={to('reportSmbcd', null, { from: of, to: of })} className={classes.titleLink}>
            {title}
            <IconChevronRight size={14} stroke={2} aria-hidden />
          </Link>
        ) : (
          title
        )}
      </h2>
      <div className={classes.figures}>
        <div>
          <p className={classes.name}>{today}</p>
          <p className={`${classes.figure} num`}>{money(sales.net)}</p>
          <p className={classes.words}>
            <Change now={sales.netCompared} before={sales.before} /> against {last}
            <Compared shown={sales.net} now={sales.netCompared} before={sales.before} of={stores} />
          </p>
        </div>
        <div>
          <p className={classes.name}>
            {sales.day < sales.weekFrom || !mayReport ? (
              `This week, from ${shortDay(sales.weekFrom)}`
            ) : (
              <Link
                to={to('reportSmbcd', null, { from: sales.weekFrom, to: of })}
                className={classes.titleLink}
              >
                This week, from {shortDay(sales.weekFrom)}
              </Link>
            )}
          </p>
          <p className={`${classes.figure} num`}>{money(sales.week)}</p>
          <p className={classes.words}>
            {sales.day < sales.weekFrom ? (
              'No sales yet'
            ) : (
              <>
                <Change now={sales.weekCompared} before={sales.weekBefore} /> against the same days
                last week
                <Compared
                  shown={sales.week}
                  now={sales.weekCompared}
                  before={sales.weekBefore}
                  of={`${count(sales.weekDays)} of ${plural(sales.weekDays + sales.weekLeftOut, 'store-day')}`}
                />
              </>
            )}
          </p>
        </div>
        <Line
          values={sales.days}
          label={`Net sales of the last ${plural(sales.days.length, 'day')}`}
        />
      </div>
      <p className={classes.foot}>
        Sales of {count(sales.stores)} of {plural(sales.of, 'store')}
        {sales.upTo && `, last import ${moment(sales.upTo)}`}
        {wholeDays > 0 &&
          `${DOT}Whole days only for ${plural(wholeDays, 'store')}: no sale there has a time.`}
      </p>
    </>
  );
}

function WaitingTile({ title, waiting }: { title: string; waiting: Waiting }) {
  const { items, days, of, late, urgent } = waiting;
  const more = waiting.count - Math.min(items.length, NAMED);
  return (
    <>
      <h2 className={classes.title}>
        <Link to={waiting.href} className={classes.titleLink}>
          {title}
          <IconChevronRight size={14} stroke={2} aria-hidden />
        </Link>
        {late > 0 && (
          <span className={classes.late} data-urgent={urgent > 0 || undefined}>
            {count(late)} late
          </span>
        )}
      </h2>
      <div className={classes.head}>
        <span className={`${classes.figure} num`}>
          {waiting.amount != null ? money(waiting.amount) : count(waiting.count)}
        </span>
        {of != null && of > 0 && waiting.amount == null ? (
          <Progress
            part={waiting.count}
            of={of}
            label={`${percent(waiting.count / of)} of ${count(of)}`}
          />
        ) : (
          days.length > 0 && <Bars days={days} label={`${title} by day`} />
        )}
      </div>
      {waiting.words && <p className={classes.words}>{waiting.words}</p>}
      <ul className={classes.items}>
        {items.slice(0, NAMED).map((item) => (
          <li key={item.id}>
            <Link to={item.href} data-urgent={item.urgent || undefined}>
              <span>{withDots(item.title)}</span>
              <small>{item.text && withDots(item.text)}</small>
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && items.length >= NAMED && (
        <Link to={waiting.href} className={classes.more}>
          See all
        </Link>
      )}
    </>
  );
}
