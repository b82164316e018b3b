import { useCallback, useMemo, useState } from 'react';
import { Chart } from '#/charts/Chart';
import { HeatGrid, HeatScale } from '#/charts/HeatGrid';
import { Legend } from '#/charts/Legend';
import { MARKS } from '#/charts/marks';
import { Plot } from '#/charts/Plot';
import { Spark } from '#/charts/Spark';
import type { Point, Series } from '#/charts/types';
import { writeSort } from '#/table/useTableState';
import type { Cell } from '#/ui/cell';
import { addDays } from '#/ui/dates';
import { amount, money, plural, qty, short, shortDay } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { sum } from '#/ui/sums';
import { exportHref, useReportData, type WeeklyItem, type WeeklySales } from '../api';
import { Drill } from '../Drill';
import { matchingNames } from '../filter';
import { Matrix } from '../matrix/Matrix';
import { nextSort, sortRows } from '../matrix/sorting';
import type { MatrixColumn } from '../matrix/types';
import { NoBom } from '../NoBom';
import { Gaps, Notice, Notices } from '../Notices';
import { columnSums, highest } from '../numbers';
import { Report } from '../Report';
import classes from '../Report.module.css';
import { UnitChoice } from '../UnitChoice';
import { chosenUnit, footWords, unitKey, unitsOf } from '../units';
import { useReport } from '../useReport';
import { span, weekTag, weekTick } from '../weeks';
import { figureWidth } from '../width';

type By = 'root' | 'pos';
type Measure = 'qty' | 'net';

const REPORT = 'weekly-root-item-sales';
const IN_HEAT = 40;
const COMPARED = 5;
const NO_WEEKS: string[] = [];

/** An item with the values of the chosen measure. */
interface Row {
  id: string;
  name: string;
  kind: string | null;
  unit: string | null;
  values: readonly number[];
  total: number;
}

const rowOf =
  (measure: Measure) =>
  (item: WeeklyItem): Row => ({
    id: item.id,
    name: item.name,
    kind: item.kind ?? null,
    unit: (measure === 'qty' && item.unit) || null,
    values: measure === 'net' ? (item.net ?? []) : item.quantities,
    total: measure === 'net' ? (item.netTotal ?? 0) : item.total,
  });

const lastDay = (week: string) => addDays(week, 6);

export default function WeeklyRootItemSalesPage() {
  const state = useReport();
  const by: By = state.get('by') === 'pos' ? 'pos' : 'root';
  const measure: Measure = by === 'pos' && state.get('measure') === 'net' ? 'net' : 'qty';
  const query = useReportData<WeeklySales>(REPORT, state.filters, { by });
  const report = query.data;
  const [lit, setLit] = useState<string | null>(null);
  const { openCell, toggleFocus, focus, phone } = state;
  const [one, many] = by === 'root' ? ['root item', 'root items'] : ['POS item', 'POS items'];
  const write = measure === 'net' ? amount : qty;
  const what = measure === 'net' ? 'Net sales' : 'Quantity';

  const weeks = report?.weeks ?? NO_WEEKS;
  const all = useMemo(() => (report?.items ?? []).map(rowOf(measure)), [report, measure]);
  const found = useMemo(() => matchingNames(all, state.q), [all, state.q]);
  const filtered = found.length < all.length;
  const units = useMemo(() => unitsOf(found), [found]);
  // Lines that are compared share an axis, so they share a unit: that of the first.
  const led = focus.length ? found.find(({ id }) => id === focus[0]) : undefined;
  const group = chosenUnit(units, led ? unitKey(led.unit) : state.get('unit'));
  const unit = group?.unit ?? null;
  const added = useMemo(
    () => (units.length > 1 ? found.filter((row) => row.unit === unit) : found),
    [units, found, unit],
  );
  const totals = useMemo(() => {
    const values = added.map((row) => row.values);
    if (!report || filtered || measure !== 'net') return columnSums(values, weeks.length);
    return report.net;
  }, [report, filtered, added, measure, weeks.length]);
  const total = sum(totals);

  const weekCell = useCallback(
    (at: number, itemId: string | null): Cell | null => {
      const week = weeks[at];
      return week ? { from: week, to: lastDay(week), storeId: null, itemId } : null;
    },
    [weeks],
  );
  const open = useCallback(
    (at: number, itemId: string | null) => {
      const cell = weekCell(at, itemId);
      if (cell) openCell(cell);
    },
    [weekCell, openCell],
  );

  const { columns, totalColumn } = useMemo(() => {
    const figures = [...all.flatMap(({ values }) => values), ...totals];
    const width = figureWidth(figures, write, 68);
    const [first, last] = [weeks[0], weeks.at(-1)];
    const totalColumn: MatrixColumn<Row> = {
      id: 'total',
      label: 'Total',
      width: figureWidth([...all.map((row) => row.total), total], write, 84) + 8,
      value: (row) => row.total,
      format: write,
      foot: write(total),
      onPick: (row) => {
        if (!first || !last) return;
        openCell({ from: first, to: lastDay(last), storeId: null, itemId: row?.id ?? null });
      },
    };
    const trend: MatrixColumn<Row> = {
      id: 'trend',
      label: 'Trend',
      width: 100,
      align: 'left',
      sortable: false,
      value: () => null,
      cell: (row) => <Spark values={row.values} />,
    };
    const grown = weeks.map(
      (week, at): MatrixColumn<Row> => ({
        id: week,
        label: shortDay(week),
        sub: weekTag(report?.weekLabels[at] ?? '', report?.weekLabels[at - 1]),
        title: `${report?.weekLabels[at]}, ${span({ from: week, to: lastDay(week) })}`,
        width,
        grow: true,
        value: (row) => row.values[at] ?? 0,
        format: write,
        foot: write(totals[at] ?? 0),
        onPick: (row) => open(at, row?.id ?? null),
      }),
    );
    const unitColumn: MatrixColumn<Row> = {
      id: 'unit',
      label: 'Unit',
      width: 60,
      align: 'left',
      value: (row) => row.unit,
    };
    const named = all.some((row) => row.unit) ? [unitColumn] : [];
    return {
      columns: phone ? [totalColumn, ...named, ...grown] : [...named, trend, ...grown],
      totalColumn: phone ? null : totalColumn,
    };
  }, [all, totals, total, weeks, report, write, open, openCell, phone]);

  const rows = useMemo(
    () => sortRows(found, state.sort, [...columns, ...(totalColumn ? [totalColumn] : [])]),
    [found, state.sort, columns, totalColumn],
  );

  const chosen = useMemo(
    () =>
      focus.flatMap((id, mark): Series[] => {
        const row = all.find((item) => item.id === id);
        return row && (units.length < 2 || row.unit === unit)
          ? [{ id, label: row.name, values: row.values, mark }]
          : [];
      }),
    [focus, all, units, unit],
  );
  const points = useMemo(
    () =>
      weeks.map(
        (week, at): Point => ({
          key: week,
          label: weekTick(week, weeks.length),
          title: `${span({ from: week, to: lastDay(week) })} · ${report?.weekLabels[at]?.slice(5)}`,
        }),
      ),
    [weeks, report],
  );

  const heat = state.chart === 'heat';
  const compared = chosen.length > 0;
  const drawn = units.length > 1 ? rows.filter((row) => row.unit === unit) : rows;
  const heated = (compared ? drawn.filter(({ id }) => focus.includes(id)) : drawn).slice(
    0,
    IN_HEAT,
  );
  const inUnit = unit ? `${what} in ${unit}` : what;
  const series: Series[] = compared
    ? chosen
    : [{ id: 'total', label: filtered ? 'Items shown' : 'All items', values: totals, mark: 0 }];
  const best = highest(totals);
  const summary = [
    `${inUnit} of ${plural(added.length, one, many)} over ${plural(weeks.length, 'week')}: ${write(total)} in all.`,
    points[best] && `The highest week was ${points[best].title} with ${write(totals[best] ?? 0)}.`,
    ...chosen.map(({ label, values }) => `${label}: ${write(sum(values))}.`),
  ]
    .filter(Boolean)
    .join(' ');

  const wider = report && (report.from !== state.range.from || report.to !== state.range.to);
  const compareSome = Math.min(drawn.length, COMPARED, MARKS);

  return (
    <Report
      page="reportWeeklyRootItemSales"
      state={state}
      query={query}
      aside={
        report &&
        `${plural(rows.length, one, many)} · ${plural(weeks.length, 'week')} · ${money(report.netTotal)} net`
      }
      choices={
        <>
          <Segments<By>
            label="Rows"
            value={by}
            options={[
              { value: 'root', label: 'Root items' },
              { value: 'pos', label: 'POS items' },
            ]}
            onChange={(next) =>
              state.set({
                by: next === 'root' ? null : next,
                measure: null,
                focus: null,
                cell: null,
              })
            }
          />
          {by === 'pos' && (
            <Segments<Measure>
              label="Measure"
              value={measure}
              options={[
                { value: 'qty', label: 'Quantity' },
                { value: 'net', label: 'Net ₱' },
              ]}
              onChange={(next) => state.set({ measure: next === 'qty' ? null : next })}
            />
          )}
        </>
      }
      notices={
        report && (
          <Notices>
            <Gaps
              unmapped={report.unmapped}
              withoutBom={by === 'root' ? report.withoutBom : undefined}
            />
            {wider && <Notice calm>Whole weeks: {span(report)}.</Notice>}
          </Notices>
        )
      }
      placeholder={`Filter ${many}`}
      exportHref={exportHref(REPORT, state.filters, { by })}
      empty={all.length === 0}
      nothing={
        report && report.netTotal !== 0 && by === 'root' ? (
          <NoBom gap={report.withoutBom} unmapped={report.unmapped} state={state} />
        ) : undefined
      }
      noMatch={all.length > 0 && found.length === 0}
      many={many}
      words={`${what} by week`}
      chart={
        <Chart
          title={heat ? `${inUnit} by item and week` : `${inUnit} per week`}
          summary={summary}
          fill={state.view === 'chart'}
          height={heat ? 290 : 210}
          legend={
            compared &&
            !heat && (
              <Legend
                kind="line"
                series={chosen}
                lit={lit}
                onLight={setLit}
                onRemove={toggleFocus}
              />
            )
          }
          aside={
            <>
              {!compared && (
                <UnitChoice
                  groups={units}
                  group={group}
                  onChange={(next) => state.set({ unit: next, cell: null })}
                />
              )}
              {heat && <HeatScale values={heated.map(({ values }) => values)} format={short} />}
              {compared ? (
                <button type="button" className={classes.link} onClick={() => state.setFocus([])}>
                  Clear
                </button>
              ) : (
                !heat &&
                compareSome > 1 && (
                  <button
                    type="button"
                    className={classes.link}
                    onClick={() => state.setFocus(drawn.slice(0, compareSome).map(({ id }) => id))}
                  >
                    Compare the first {compareSome}
                  </button>
                )
              )}
              <Segments
                label="Picture"
                value={state.chart}
                options={[
                  { value: 'graph', label: compared ? 'Lines' : 'Bars' },
                  { value: 'heat', label: 'Heat map' },
                ]}
                onChange={(next) => state.set({ chart: next === 'heat' ? next : null })}
              />
            </>
          }
        >
          {heat ? (
            <HeatGrid
              label={summary}
              rows={heated}
              points={points}
              format={write}
              onPick={(id, at) => open(at, id)}
            />
          ) : (
            <Plot
              kind={compared ? 'line' : 'bar'}
              points={points}
              series={series}
              lit={lit}
              format={write}
              short={short}
              hint="Click for what it is made of"
              onPick={(at, id) => open(at, id === 'total' ? null : id)}
            />
          )}
        </Chart>
      }
      table={
        <Matrix<Row>
          label={`${what} by week`}
          rows={rows}
          columns={columns}
          total={totalColumn}
          rowsAre={by === 'root' ? 'Root item' : 'POS item'}
          foot={footWords(units, group, rows.length, filtered)}
          sort={state.sort}
          onSort={(id, text) => state.set({ sort: writeSort(nextSort(state.sort, id, text)) })}
          markOf={(id) => {
            const at = focus.indexOf(id);
            return at < 0 ? null : at;
          }}
          onName={({ id }) => toggleFocus(id)}
          noteOf={phone ? undefined : ({ kind }) => kind}
          fromEnd={!phone}
          phone={phone}
          stale={query.isPlaceholderData}
        />
      }
    >
      <Drill
        cell={state.cell}
        filters={state.filters}
        kind={by}
        what={what}
        nameOf={(id) => all.find((row) => row.id === id)?.name ?? 'Item'}
        format={write}
        slices={({ from, to }) =>
          added
            .map(({ id, name, values }) => ({
              id,
              name,
              value: sum(
                values.filter((_, at) => {
                  const week = weeks[at] ?? '';
                  return week >= from && week <= to;
                }),
              ),
            }))
            .filter(({ value }) => value !== 0)
            .sort((a, b) => b.value - a.value)
        }
        onClose={() => state.set({ cell: null })}
      />
    </Report>
  );
}
