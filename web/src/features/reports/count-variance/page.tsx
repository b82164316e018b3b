import { useMemo } from 'react';
import type { components } from '#/api/schema.gen';
import { Chart } from '#/charts/Chart';
import { Plot } from '#/charts/Plot';
import { writeSort } from '#/table/useTableState';
import { amount, change, count, money, plural, qty, short, shortDay } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { sum } from '#/ui/sums';
import { exportHref, useReportData } from '../api';
import { matchingNames } from '../filter';
import { Matrix } from '../matrix/Matrix';
import { nextSort, sortRows } from '../matrix/sorting';
import type { MatrixColumn } from '../matrix/types';
import { NothingCounted } from '../NothingCounted';
import { Mend, Notice, Notices } from '../Notices';
import { Report } from '../Report';
import { useReport } from '../useReport';
import { span } from '../weeks';

type Schemas = components['schemas'];
type Variance = Schemas['CountVariance'];
type By = 'rootItems' | 'items';

interface Row extends Omit<Schemas['VarianceRow'], 'id'> {
  id: string;
  kind: string;
}

const REPORT = 'count-variance';
const IN_CHART = 16;
const ON_PHONE = 7;

/** A difference with its sign. */
const signed = (value: number) => (value > 0 ? `+${qty(value)}` : qty(value));

/** Where what was counted is not what should have been there. */
export default function CountVariancePage() {
  const state = useReport();
  const by: By = state.get('by') === 'items' ? 'items' : 'rootItems';
  const query = useReportData<Variance>(REPORT, state.filters, { by });
  const report = query.data;
  const { phone, range } = state;

  const all = useMemo(
    () =>
      (report?.items ?? []).map(
        (row): Row => ({ ...row, id: `${row.storeId} ${row.id}`, kind: row.storeName }),
      ),
    [report],
  );
  const found = useMemo(() => matchingNames(all, state.q), [all, state.q]);
  const filtered = found.length < all.length;
  const cut = Boolean(report && report.total > all.length);
  // The foot is of everything the head is of; of what is shown only where somebody has filtered.
  const net = filtered ? sum(found.map(({ varianceValue }) => varianceValue)) : (report?.net ?? 0);
  const columns = useMemo(() => columnsOf(net), [net]);
  const rows = useMemo(() => sortRows(found, state.sort, columns), [found, state.sort, columns]);
  const led = useMemo(
    () =>
      found
        .filter(({ varianceValue }) => varianceValue)
        .toSorted((a, b) => Math.abs(b.varianceValue ?? 0) - Math.abs(a.varianceValue ?? 0))
        .slice(0, phone ? ON_PHONE : IN_CHART),
    [found, phone],
  );

  return (
    <Report
      page="reportCountVariance"
      state={state}
      query={query}
      aside={
        report &&
        `${money(report.loss)} missing · ${money(report.gain)} more than expected · ${money(report.net)} net`
      }
      notices={
        report &&
        report.storesWithoutSales > 0 && (
          <Notices>
            <Notice>
              {plural(report.storesWithoutSales, 'store has', 'stores have')} no sales yet up to the
              last count, so “Expected” takes too little use off there.{' '}
              <Mend page="toolsImportSales">Import sales</Mend>
            </Notice>
          </Notices>
        )
      }
      choices={
        <Segments<By>
          label="By"
          value={by}
          options={[
            { value: 'rootItems', label: 'Root items' },
            { value: 'items', label: 'Items' },
          ]}
          onChange={(next) => state.set({ by: next === 'items' ? 'items' : null })}
        />
      }
      placeholder="Filter items and stores"
      exportHref={exportHref(REPORT, state.filters, { by })}
      empty={all.length === 0}
      nothing={<NothingCounted />}
      noMatch={all.length > 0 && found.length === 0}
      many="rows"
      words="Counted against expected"
      chart={
        <Chart
          title="Largest differences, ₱"
          summary={`${span(range)}: ${money(report?.loss)} missing and ${money(report?.gain)} more than expected; net ${money(report?.net)}.`}
          fill={state.view === 'chart'}
          height={200}
        >
          <Plot
            kind="bar"
            points={led.map((row) => ({
              key: row.id,
              label: row.name,
              title: `${row.name}, ${row.storeName}: ${signed(row.variance)} ${row.uomCode ?? ''}`,
            }))}
            series={[
              {
                id: 'value',
                label: 'Variance',
                values: led.map(({ varianceValue }) => varianceValue ?? null),
                mark: 0,
              },
            ]}
            format={money}
            short={short}
          />
        </Chart>
      }
      table={
        <Matrix<Row>
          label="Counted against expected"
          rows={rows}
          columns={columns}
          total={null}
          rowsAre={by === 'items' ? 'Item' : 'Root item'}
          foot={
            filtered
              ? `Total of ${count(rows.length)} shown`
              : cut
                ? `Total of all ${count(report?.total)}, the first ${count(all.length)} shown`
                : `Total of ${plural(rows.length, 'row')}`
          }
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

function columnsOf(value: number): MatrixColumn<Row>[] {
  return [
    {
      id: 'varianceValue',
      label: 'Variance (₱)',
      width: 120,
      value: ({ varianceValue }) => varianceValue,
      format: amount,
      foot: amount(value),
    },
    {
      id: 'variance',
      label: 'Variance',
      width: 100,
      value: ({ variance }) => variance,
      format: signed,
    },
    {
      id: 'share',
      label: 'Of use',
      title: 'The difference as a part of what was used',
      width: 90,
      value: ({ share }) => share,
      format: (share) => change(share),
    },
    { id: 'uom', label: 'Unit', width: 64, align: 'left', value: ({ uomCode }) => uomCode ?? '' },
    { id: 'store', label: 'Store', width: 170, align: 'left', value: ({ storeName }) => storeName },
    {
      id: 'opening',
      label: 'Counted before',
      width: 120,
      value: ({ opening }) => opening,
      format: qty,
    },
    {
      id: 'moved',
      label: 'Deliveries and transfers',
      width: 130,
      value: ({ moved }) => moved,
      format: signed,
    },
    { id: 'used', label: 'Used', width: 100, value: ({ used }) => used, format: qty },
    {
      id: 'expected',
      label: 'Expected',
      width: 100,
      value: ({ expected }) => expected,
      format: qty,
    },
    { id: 'counted', label: 'Counted', width: 100, value: ({ counted }) => counted, format: qty },
    {
      id: 'countedDate',
      label: 'Last count',
      width: 100,
      align: 'left',
      value: ({ openingDate, countedDate }) =>
        `${shortDay(openingDate)} – ${shortDay(countedDate)}`,
      sortable: false,
    },
  ];
}
