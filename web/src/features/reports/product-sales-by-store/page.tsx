import { useCallback, useMemo, useState } from 'react';
import { Chart } from '#/charts/Chart';
import { HeatGrid, HeatScale } from '#/charts/HeatGrid';
import { Legend } from '#/charts/Legend';
import { MARKS } from '#/charts/marks';
import { Plot } from '#/charts/Plot';
import type { Point, Series } from '#/charts/types';
import { writeSort } from '#/table/useTableState';
import { amount, count, money, plural, qty, short } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { sum } from '#/ui/sums';
import { exportHref, type ProductItem, type ProductSales, useReportData } from '../api';
import { Drill } from '../Drill';
import { matchingNames } from '../filter';
import { Matrix } from '../matrix/Matrix';
import { nextSort, sortRows } from '../matrix/sorting';
import type { MatrixColumn } from '../matrix/types';
import { columnSums, leaders } from '../numbers';
import { Report } from '../Report';
import classes from '../Report.module.css';
import { useReport } from '../useReport';
import { span } from '../weeks';
import { figureWidth } from '../width';

type Measure = 'qty' | 'net';

const REPORT = 'product-sales-by-store';
const STORES_IN_CHART = 16;
const STORES_ON_PHONE = 6;
/** As many as there are marks to tell them apart. */
const ITEMS_IN_CHART = MARKS;
const IN_HEAT = 40;

interface Row {
  id: string;
  name: string;
  kind: string | null;
  values: readonly number[];
  total: number;
}

const rowOf =
  (measure: Measure) =>
  (item: ProductItem): Row => ({
    id: item.id,
    name: item.name,
    kind: item.kind ?? null,
    values: measure === 'net' ? item.nets : item.quantities,
    total: measure === 'net' ? item.net : item.qty,
  });

export default function ProductSalesByStorePage() {
  const state = useReport();
  const measure: Measure = state.get('measure') === 'net' ? 'net' : 'qty';
  const query = useReportData<ProductSales>(REPORT, state.filters);
  const report = query.data;
  const [lit, setLit] = useState<string | null>(null);
  const { openCell, toggleFocus, focus, phone, range } = state;
  const write = measure === 'net' ? amount : qty;
  const what = measure === 'net' ? 'Net sales' : 'Quantity';

  const stores = report?.stores ?? [];
  const all = useMemo(
    () =>
      (report?.items ?? [])
        .map(rowOf(measure))
        // The server ranks by net; rows stand by what is shown.
        .sort((a, b) => b.total - a.total),
    [report, measure],
  );
  const found = useMemo(() => matchingNames(all, state.q), [all, state.q]);
  const filtered = found.length < all.length;
  const totals = useMemo(
    () =>
      filtered
        ? columnSums(
            found.map(({ values }) => values),
            stores.length,
          )
        : stores.map((store) => (measure === 'net' ? store.net : store.qty)),
    [filtered, found, stores, measure],
  );
  const total = sum(totals);

  const openAt = useCallback(
    (storeId: string | null, itemId: string | null) =>
      openCell({ from: range.from, to: range.to, storeId, itemId }),
    [openCell, range.from, range.to],
  );

  const { columns, totalColumn } = useMemo(() => {
    const width = figureWidth([...all.flatMap(({ values }) => values), ...totals], write, 96);
    const totalColumn: MatrixColumn<Row> = {
      id: 'total',
      label: 'Total',
      width: figureWidth([...all.map((row) => row.total), total], write, 84) + 8,
      value: (row) => row.total,
      format: write,
      foot: write(total),
      onPick: (row) => openAt(null, row?.id ?? null),
    };
    const kind: MatrixColumn<Row> = {
      id: 'kind',
      label: 'Category',
      width: 118,
      align: 'left',
      value: (row) => row.kind,
    };
    const grown = stores.map(
      (store, at): MatrixColumn<Row> => ({
        id: store.id,
        label: store.name,
        title: store.name,
        width,
        grow: true,
        value: (row) => row.values[at] ?? 0,
        format: write,
        foot: write(totals[at] ?? 0),
        onPick: (row) => openAt(store.id, row?.id ?? null),
      }),
    );
    return {
      columns: phone ? [totalColumn, ...grown] : [kind, ...grown],
      totalColumn: phone ? null : totalColumn,
    };
  }, [all, totals, total, stores, write, openAt, phone]);

  const rows = useMemo(
    () => sortRows(found, state.sort, [...columns, ...(totalColumn ? [totalColumn] : [])]),
    [found, state.sort, columns, totalColumn],
  );

  const picture = useMemo(() => {
    const order = leaders(
      stores.map((store, at) => ({ store, at })),
      phone ? STORES_ON_PHONE : STORES_IN_CHART,
      ({ at }) => totals[at] ?? 0,
    );
    const columnsOf = order.top;
    const chosen = focus.flatMap((id) => found.find((row) => row.id === id) ?? []);
    const { top } = chosen.length
      ? { top: chosen }
      : leaders(found, ITEMS_IN_CHART, (row) => row.total);
    const mine = (row: Row) => columnsOf.map(({ at }) => row.values[at] ?? 0);
    const series: Series[] = top.map((row, mark) => ({
      id: row.id,
      label: row.name,
      values: mine(row),
      mark,
    }));
    const points: Point[] = columnsOf.map(({ store }) => ({
      key: store.id,
      label: store.name,
      title: store.name,
    }));
    return { points, series, chosen, hidden: order.rest.length };
  }, [stores, totals, focus, found, phone]);

  // Hundreds of items in a bar tell nothing of any; each in a row of its own does.
  const heat = state.get('chart') !== 'graph';
  const heated = (picture.chosen.length ? picture.chosen : rows).slice(0, IN_HEAT);
  const storePoints = useMemo(
    () => stores.map(({ id, name }): Point => ({ key: id, label: name, title: name })),
    [stores],
  );
  const first = picture.points[0];
  const summary = [
    `${what} of ${plural(found.length, 'POS item')} in ${plural(stores.length, 'store')}, ${span(range)}: ${write(total)} in all.`,
    first && picture.points.length > 1
      ? `The most at ${first.title}: ${write(sum(picture.series.map(({ values }) => values[0])))}.`
      : '',
    ...picture.series.map(({ label, values }) => `${label}: ${write(sum(values))}.`),
  ].join(' ');

  const pick = (storeId: string | undefined, itemId: string | null) => {
    if (storeId) openAt(storeId, itemId);
  };

  return (
    <Report
      page="reportProductSalesByStore"
      state={state}
      query={query}
      aside={
        report &&
        `${plural(rows.length, 'POS item')} · ${plural(stores.length, 'store')} · ${money(report.totalNet)} net`
      }
      choices={
        <Segments<Measure>
          label="Measure"
          value={measure}
          options={[
            { value: 'qty', label: 'Quantity' },
            { value: 'net', label: 'Net ₱' },
          ]}
          onChange={(next) => state.set({ measure: next === 'qty' ? null : next })}
        />
      }
      placeholder="Filter POS items"
      exportHref={exportHref(REPORT, state.filters, { measure })}
      empty={all.length === 0}
      noMatch={all.length > 0 && found.length === 0}
      many="POS items"
      words={`${what} by store`}
      chart={
        <Chart
          title={
            heat
              ? `${what} by item and store`
              : [
                  picture.chosen.length || found.length <= picture.series.length
                    ? `${what} by store`
                    : `${what} of the first ${picture.series.length} of ${count(found.length)} items`,
                  picture.hidden > 0 &&
                    `the first ${picture.points.length} of ${stores.length} stores`,
                ]
                  .filter(Boolean)
                  .join(', ')
          }
          summary={summary}
          fill={state.view === 'chart'}
          height={heat ? 290 : 220}
          legend={
            !heat && (
              <Legend
                kind="stacked"
                series={picture.series}
                lit={lit}
                onLight={setLit}
                onRemove={picture.chosen.length ? toggleFocus : undefined}
              />
            )
          }
          aside={
            <>
              {heat && <HeatScale values={heated.map(({ values }) => values)} format={short} />}
              {picture.chosen.length > 0 && (
                <button type="button" className={classes.link} onClick={() => state.setFocus([])}>
                  Clear
                </button>
              )}
              <Segments
                label="Picture"
                value={heat ? 'heat' : 'graph'}
                options={[
                  { value: 'heat', label: 'Heat map' },
                  { value: 'graph', label: 'Bars' },
                ]}
                onChange={(next) => state.set({ chart: next === 'graph' ? next : null })}
              />
            </>
          }
        >
          {heat ? (
            <HeatGrid
              label={summary}
              rows={heated}
              points={storePoints}
              format={write}
              onPick={(row, at) => pick(storePoints[at]?.key, row)}
            />
          ) : (
            <Plot
              kind="stacked"
              points={picture.points}
              series={picture.series}
              lit={lit}
              format={write}
              short={short}
              hint="Click for what it is made of"
              onPick={(at, id) => pick(picture.points[at]?.key, id)}
            />
          )}
        </Chart>
      }
      table={
        <Matrix<Row>
          label={`${what} by store`}
          rows={rows}
          columns={columns}
          total={totalColumn}
          rowsAre="POS item"
          foot={filtered ? `Total of ${count(rows.length)} shown` : 'Total'}
          sort={state.sort}
          onSort={(id, text) => state.set({ sort: writeSort(nextSort(state.sort, id, text)) })}
          markOf={(id) => {
            const at = focus.indexOf(id);
            return at < 0 ? null : at;
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
        kind="pos"
        what={what}
        nameOf={(id) => all.find((row) => row.id === id)?.name ?? 'Item'}
        format={write}
        slices={({ storeId }) => {
          const at = stores.findIndex(({ id }) => id === storeId);
          return found
            .map(({ id, name, values, total: whole }) => ({
              id,
              name,
              value: at < 0 ? whole : (values[at] ?? 0),
            }))
            .filter(({ value }) => value !== 0)
            .sort((a, b) => b.value - a.value);
        }}
        onClose={() => state.set({ cell: null })}
      />
    </Report>
  );
}
