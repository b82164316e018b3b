import { useMemo, useState } from 'react';
import { Chart } from '#/charts/Chart';
import { Legend } from '#/charts/Legend';
import { MARKS } from '#/charts/marks';
import { Plot } from '#/charts/Plot';
import type { Point, Series } from '#/charts/types';
import { writeSort } from '#/table/useTableState';
import { addDays } from '#/ui/dates';
import { change, count, percent, plural, qty, short, shortDay } from '#/ui/format';
import { sum } from '#/ui/sums';
import { exportHref, type RootItemSales, useReportData, type WeeklySales } from '../api';
import { Drill } from '../Drill';
import { matchingNames } from '../filter';
import { Matrix } from '../matrix/Matrix';
import { nextSort, sortRows } from '../matrix/sorting';
import type { MatrixColumn } from '../matrix/types';
import { NoBom } from '../NoBom';
import { Notice, Notices } from '../Notices';
import { changeOf } from '../numbers';
import { Report } from '../Report';
import classes from '../Report.module.css';
import { UnitChoice } from '../UnitChoice';
import { chosenUnit, footWords, unitKey, unitsOf, unitWord } from '../units';
import { useReport } from '../useReport';
import { span, weekTick } from '../weeks';
import { figureWidth } from '../width';
import own from './page.module.css';

const REPORT = 'sales-by-root-items';
const LINES = 5;

interface Row {
  id: string;
  name: string;
  kind: string | null;
  unit: string | null;
  rank: number;
  qty: number;
  share: number;
  previous: number;
  change: number | null;
}

export default function SalesByRootItemsPage() {
  const state = useReport();
  const query = useReportData<RootItemSales>(REPORT, state.filters);
  const report = query.data;
  const [lit, setLit] = useState<string | null>(null);
  const { openCell, toggleFocus, focus, phone, range } = state;

  // The report follows its leaders; the course of any other item is read from the weekly report.
  const led = new Set(report?.series.map(({ id }) => id));
  const beyond = Boolean(report) && focus.some((id) => !led.has(id));
  const weekly = useReportData<WeeklySales>(
    'weekly-root-item-sales',
    state.filters,
    { by: 'root' },
    beyond,
  );

  // Nothing here is no proof that nothing was sold: the weekly report knows what has no bill of materials.
  const none = Boolean(report) && report?.items.length === 0;
  const gaps = useReportData<WeeklySales>(
    'weekly-root-item-sales',
    state.filters,
    { by: 'root' },
    none,
  );

  const all = useMemo(
    () =>
      (report?.items ?? []).map(
        (item, i, items): Row => ({
          id: item.id,
          name: item.name,
          kind: item.kind ?? null,
          unit: item.unit ?? null,
          // Kilograms and pieces have no order among them.
          rank: items.slice(0, i).filter(({ unit }) => unit === item.unit).length + 1,
          qty: item.qty,
          share: item.share,
          previous: item.previousQty,
          change: item.change ?? null,
        }),
      ),
    [report],
  );
  const found = useMemo(() => matchingNames(all, state.q), [all, state.q]);
  const filtered = found.length < all.length;
  const units = useMemo(() => unitsOf(found), [found]);
  // Lines share an axis, so they share a unit: that of the first.
  const first = focus.length ? found.find(({ id }) => id === focus[0]) : undefined;
  const group = chosenUnit(units, first ? unitKey(first.unit) : state.get('unit'));
  const unit = group?.unit ?? null;
  const added = useMemo(
    () => (units.length > 1 ? found.filter((row) => row.unit === unit) : found),
    [units, found, unit],
  );
  const whole = report?.units.find((one) => (one.unit ?? null) === unit);
  const now = filtered ? sum(added.map((row) => row.qty)) : (whole?.qty ?? 0);
  const before = filtered ? sum(added.map((row) => row.previous)) : (whole?.previousQty ?? 0);
  const highest = Math.max(0, ...all.map(({ share }) => share));

  const columns = useMemo((): MatrixColumn<Row>[] => {
    const figures = all.flatMap((row) => [row.qty, row.previous]);
    const width = figureWidth([...figures, now, before], qty, 96);
    const open = (from: string | undefined, to: string | undefined) => (row: Row | null) => {
      if (from && to) openCell({ from, to, storeId: null, itemId: row?.id ?? null });
    };
    const list: (MatrixColumn<Row> | false)[] = [
      !phone && {
        id: 'rank',
        label: '#',
        title: 'Rank by quantity among what has the same unit',
        width: 56,
        value: ({ rank }) => rank,
        format: count,
      },
      !phone && { id: 'kind', label: 'Type', width: 130, align: 'left', value: ({ kind }) => kind },
      {
        id: 'qty',
        label: 'Quantity',
        width,
        grow: true,
        value: (row) => row.qty,
        format: qty,
        foot: qty(now),
        onPick: open(range.from, range.to),
      },
      all.some((row) => row.unit) && {
        id: 'unit',
        label: 'Unit',
        width: 60,
        align: 'left',
        value: (row: Row) => row.unit,
      },
      {
        id: 'share',
        label: 'Share',
        title: 'Share of all that has the same unit',
        width: phone ? 84 : 170,
        grow: true,
        value: ({ share }) => share,
        format: percent,
        cell: phone ? undefined : ({ share }) => <Share share={share} highest={highest} />,
        foot: percent(filtered && whole?.qty ? now / whole.qty : 1),
      },
      {
        id: 'previous',
        label: 'Previous',
        sub: report && span({ from: report.previousFrom, to: report.previousTo }),
        width: Math.max(width, 160),
        grow: true,
        value: (row) => row.previous,
        format: qty,
        foot: qty(before),
        onPick: open(report?.previousFrom, report?.previousTo),
      },
      {
        id: 'change',
        label: 'Change',
        width: 110,
        grow: true,
        value: (row) => row.change,
        format: change,
        cell: (row) => <Change value={row.change} isNew={row.previous === 0 && row.qty > 0} />,
        foot: change(changeOf(now, before)),
      },
    ];
    return list.filter((column) => column !== false);
  }, [all, now, before, filtered, highest, report, whole, phone, range.from, range.to, openCell]);

  const rows = useMemo(() => sortRows(found, state.sort, columns), [found, state.sort, columns]);

  const byWeek = beyond ? true : report?.seriesGrain === 'week';
  const periods = (beyond ? weekly.data?.weeks : report?.periods) ?? [];
  const series = useMemo((): Series[] => {
    if (focus.length) {
      const source = beyond ? weekly.data?.items : report?.series;
      const drawn = new Set(added.map(({ id }) => id));
      return focus.flatMap((id, mark) => {
        const one = drawn.has(id) ? source?.find((item) => item.id === id) : undefined;
        return one ? [{ id, label: one.name, values: one.quantities, mark }] : [];
      });
    }
    const drawn = new Set(added.map(({ id }) => id));
    return (report?.series ?? [])
      .filter(({ id }) => drawn.has(id))
      .slice(0, LINES)
      .map(({ id, name, quantities }, mark) => ({ id, label: name, values: quantities, mark }));
  }, [focus, beyond, weekly.data, report, added]);
  const points = useMemo(
    () =>
      periods.map(
        (at): Point => ({
          key: at,
          label: byWeek ? weekTick(at, periods.length) : shortDay(at),
          title: byWeek ? span({ from: at, to: addDays(at, 6) }) : span({ from: at, to: at }),
        }),
      ),
    [periods, byWeek],
  );

  const summary = [
    `${plural(added.length, 'root item')}, ${span(range)}: ${qty(now)} ${unit ?? ''} in all, ${change(changeOf(now, before))} against ${report ? span({ from: report.previousFrom, to: report.previousTo }) : 'before'}.`,
    ...series.map(({ label, values }) => `${label}: ${qty(sum(values))}.`),
  ].join(' ');

  return (
    <Report
      page="reportSalesByRootItems"
      state={state}
      query={query}
      aside={
        report &&
        [
          plural(rows.length, 'root item'),
          ...report.units
            .filter((one) => one.previousQty)
            .slice(0, 3)
            .map(
              (one) =>
                `${unitWord(one.unit ?? null)} ${change(changeOf(one.qty, one.previousQty))}`,
            ),
          `against the ${plural(daysOf(report), 'day')} before`,
        ].join(' · ')
      }
      notices={
        report &&
        all.length > 0 &&
        report.units.every((one) => one.previousQty === 0) && (
          <Notices>
            <Notice calm>
              Nothing was sold from {span({ from: report.previousFrom, to: report.previousTo })}, so
              there is no change to show.
            </Notice>
          </Notices>
        )
      }
      placeholder="Filter root items"
      exportHref={exportHref(REPORT, state.filters)}
      empty={all.length === 0}
      nothing={
        gaps.data && gaps.data.netTotal !== 0 ? (
          <NoBom gap={gaps.data.withoutBom} unmapped={gaps.data.unmapped} state={state} />
        ) : undefined
      }
      noMatch={all.length > 0 && found.length === 0}
      many="root items"
      words="Root items by quantity"
      chart={
        <Chart
          title={`Quantity${unit ? ` in ${unit}` : ''} by ${byWeek ? 'week' : 'day'}`}
          summary={summary}
          fill={state.view === 'chart'}
          height={210}
          legend={
            <Legend
              kind="line"
              series={series}
              lit={lit}
              onLight={setLit}
              onRemove={focus.length ? toggleFocus : undefined}
            />
          }
          aside={
            focus.length > 0 ? (
              <button type="button" className={classes.link} onClick={() => state.setFocus([])}>
                Back to the top {LINES}
              </button>
            ) : (
              <UnitChoice
                groups={units}
                group={group}
                onChange={(next) => state.set({ unit: next, cell: null })}
              />
            )
          }
        >
          <Plot
            kind="line"
            points={points}
            series={series}
            lit={lit}
            format={qty}
            short={short}
            hint="Click a point for what it is made of"
            onPick={(at, id) => {
              const from = periods[at];
              if (from && id) {
                openCell({ from, to: byWeek ? addDays(from, 6) : from, storeId: null, itemId: id });
              }
            }}
          />
        </Chart>
      }
      table={
        <Matrix<Row>
          label="Root items by quantity"
          rows={rows}
          columns={columns}
          total={null}
          rowsAre="Root item"
          foot={footWords(units, group, rows.length, filtered)}
          sort={state.sort}
          onSort={(id, text) => state.set({ sort: writeSort(nextSort(state.sort, id, text)) })}
          markOf={(id) => {
            const at = series.findIndex((one) => one.id === id);
            return at < 0 || at >= MARKS ? null : at;
          }}
          onName={({ id }) => toggleFocus(id)}
          phone={phone}
          stale={query.isPlaceholderData}
        />
      }
    >
      <Drill
        cell={state.cell}
        filters={state.filters}
        kind="root"
        what="Quantity"
        nameOf={(id) => all.find((row) => row.id === id)?.name ?? 'Item'}
        format={qty}
        slices={({ from }) =>
          added
            .map(({ id, name, qty: value, previous }) => ({
              id,
              name,
              value: from === report?.previousFrom && from !== range.from ? previous : value,
            }))
            .filter(({ value }) => value !== 0)
            .sort((a, b) => b.value - a.value)
        }
        onClose={() => state.set({ cell: null })}
      />
    </Report>
  );
}

function daysOf({ from, to }: { from: string; to: string }): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
}

function Share({ share, highest }: { share: number; highest: number }) {
  return (
    <span className={own.share}>
      <span className={own.bar} aria-hidden="true">
        <span style={{ width: `${highest ? Math.max(1, (share / highest) * 100) : 0}%` }} />
      </span>
      {percent(share)}
    </span>
  );
}

function Change({ value, isNew }: { value: number | null; isNew: boolean }) {
  if (isNew) return <span className={own.new}>new</span>;
  const way = value === null || value === 0 ? undefined : value > 0 ? 'up' : 'down';
  return (
    <span className={own.change} data-way={way}>
      {change(value)}
    </span>
  );
}
