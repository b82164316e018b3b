// The month so far and the last full one: sales, food cost and occupancy cost, each linked to its report.
import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import type { components } from '#/api/schema.gen';
import { Spark } from '#/charts/Spark';
import { Spread } from '#/charts/Spread';
import { type PageKey, pages, queryString } from '#/paths';
import { useReportData } from '#/reports/api';
import { namedRanges } from '#/reports/question/ranges';
import { span } from '#/reports/question/weeks';
import { today } from '#/ui/dates';
import { change, money, percent, plural, short } from '#/ui/format';
import { type Against, type Comparison, compared } from './paired';
import classes from './Summary.module.css';

type Schemas = components['schemas'];

/** The main figures for management, without labour: there is no data for it. */
export function Management() {
  return (
    <div className={classes.months}>
      <Month name="this-month" title="This month so far" />
      <Month name="last-month" title="Last month" />
      <p className={classes.note}>Labour cost is left out: Larder has no wages or hours.</p>
    </div>
  );
}

function Month({ name, title }: { name: string; title: string }) {
  const range = namedRanges.find(({ id }) => id === name)?.range(today());
  const filters = { from: range?.from ?? '', to: range?.to ?? '', storeIds: [], areaIds: [] };
  const sales = useReportData<Comparison>('sales-comparison', filters);
  const food = useReportData<Schemas['FoodCost']>('food-cost', filters);
  const place = useReportData<Schemas['Occupancy']>('occupancy', filters);
  const search = { range: name };
  return (
    <section className={classes.month} aria-label={title}>
      <h2 className={classes.head}>
        {title} <span>{span(filters)}</span>
      </h2>
      <div className={classes.tiles}>
        <Tile page="reportSalesComparison" search={search} name="Net sales" query={sales}>
          {({ total, nets }) => ({
            value: money(Math.round(total.net)).replace('.00', ''),
            notes: [
              `${change(total.previous.likeChange)} against previous period, like for like`,
              `${change(total.previous.change)} all stores${over(total.previous)}`,
            ],
            picture: <Spark overTime={nets} />,
          })}
        </Tile>
        <Tile
          page="reportSalesComparison"
          search={search}
          name="Against a year before"
          query={sales}
        >
          {({ total: { year }, year: { nets } }) => ({
            value: change(year.likeChange),
            notes: [
              year.before
                ? `${plural(year.likeStores, 'store')} like for like · all ${change(year.change)}${over(year)}`
                : 'Nothing was sold a year before',
              year.before ? `₱${short(year.before)} then` : null,
            ],
            picture: year.before ? <Spark overTime={nets} /> : null,
          })}
        </Tile>
        <Tile page="reportFoodCost" search={search} name="Food cost" query={food}>
          {({ total, weeks }) => ({
            value: percent(total.theoreticalShare),
            notes: [
              total.counted
                ? `${percent(total.counted.actualShare)} actual, by ${plural(weeks.length, 'counted week')}`
                : 'No whole week was counted yet',
              total.counted ? `₱${short(total.counted.over)} over recipes` : null,
            ],
            picture:
              weeks.length > 1 ? (
                <Spark overTime={weeks.flatMap(({ actualShare }) => actualShare ?? [])} />
              ) : null,
          })}
        </Tile>
        <Tile page="reportOccupancy" search={search} name="Occupancy cost" query={place}>
          {({ total, items, withoutRent }) => ({
            value: percent(total.share),
            notes: [
              total.cost == null ? null : `₱${short(total.cost)} of rent and charges`,
              withoutRent.length > 0
                ? `No rent known for ${plural(withoutRent.length, 'store')}`
                : items[0] && `${items[0].name} most: ${percent(items[0].share)}`,
            ],
            picture: (
              <Stores
                values={items.flatMap(({ share }) => share ?? [])}
                middle={total.share}
                write={percent}
              />
            ),
          })}
        </Tile>
      </div>
    </section>
  );
}

/** Over how many days a change is, if some are left out. */
const over = (against: Against) =>
  against.leftOut > 0 ? `, over ${compared(against)} store-days` : '';

interface StoresProps {
  /** The known figure of each store. */
  values: readonly number[];
  /** The median or the figure of all stores. */
  middle: number | null | undefined;
  write(value: number): string;
}

/** How far the stores of a tile are apart. */
export function Stores({ values, middle = null, write }: StoresProps) {
  if (values.length < 2) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (
    <Spread
      values={values}
      middle={middle}
      label={`${plural(values.length, 'store')}, from ${write(low)} to ${write(high)}`}
    />
  );
}

interface Said {
  value: string;
  notes: readonly (string | null | undefined)[];
  picture?: ReactNode;
}

interface TileProps<A> {
  page: PageKey;
  search: Record<string, string>;
  name: string;
  query: UseQueryResult<A>;
  children(answer: A): Said;
}

/** A figure with its picture, linked to its report. */
export function Tile<A>({ page, search, name, query, children }: TileProps<A>) {
  const said = query.data && children(query.data);
  return (
    <Link className={classes.tile} to={pages[page].path + queryString(search)}>
      <span className={classes.name}>{name}</span>
      {said ? (
        <>
          <span className={classes.figure}>
            <strong className="num">{said.value}</strong>
            {said.picture}
          </span>
          {said.notes.map((note) => note && <small key={note}>{note}</small>)}
        </>
      ) : query.error ? (
        <small role="alert">{Problem.of(query.error).message}</small>
      ) : (
        <Skeleton height={22} width={120} my={5} />
      )}
    </Link>
  );
}
