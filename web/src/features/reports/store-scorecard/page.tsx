import type { components } from '#/api/schema.gen';
import { type PageKey, pages, queryString } from '#/paths';
import type { Choices } from '#/reports/choices';
import { column } from '#/reports/columns';
import { defineReport } from '#/reports/define';
import type { Shown } from '#/reports/found';
import { Notice, Notices, WithoutSales } from '#/reports/frame/Notices';
import type { MatrixColumn } from '#/reports/matrix/types';
import type { ReportState } from '#/reports/question/useReport';
import { amount, count, DOT, money, plural } from '#/ui/format';
import { sum } from '#/ui/sums';
import { MEASURES, type Measure, type MeasureId, TICKET } from '../scoreMeasures';
import { type By, byChoice, openStores, salesOf, storeLabel, things } from '../storeRows';
import classes from './page.module.css';
import { TwoMeasures } from './TwoMeasures';

type Schemas = components['schemas'];
type Scorecard = Schemas['Scorecard'];
type Median = Schemas['ScoreMedian'];
export type Row = Schemas['ScoreRow'] & { kind: string | null };
export type Chosen = { by: By; against: Schemas['MedianOf'] };

const choices: Choices<Chosen> = {
  by: { ...byChoice.by, when: undefined },
  against: {
    label: 'Held against',
    when: ({ by }) => by === 'store',
    options: [
      { value: 'all', label: 'All' },
      { value: 'area', label: 'Area' },
      { value: 'format', label: 'Format' },
    ],
  },
};

const LACKS: Record<Schemas['Lacks'], string> = {
  floor: 'No floor area for',
  seats: 'Seats not known of',
  receipts: 'No receipts from',
  counts: 'No counts due in',
  orders: 'No finished orders of',
  forecasts: 'No forecasts to compare for',
  snapshots: 'No counted week of',
};

/** Store performance, each figure against the median of its group. */
export default defineReport<Scorecard, Row, Chosen>({
  page: 'reportStoreScorecard',
  name: 'store-scorecard',
  usual: 'last-4-weeks',
  things,
  words: ({ by }) =>
    `${things({ by })[1]} by their figures`.replace(/^./, (one) => one.toUpperCase()),
  choices,
  rows: ({ items }) =>
    items.map((row) => ({
      ...row,
      kind: [row.area, row.format].filter(Boolean).join(DOT) || null,
    })),
  columns: ({ answer, state, chosen, found, filtered }) => {
    const of = medianOf(answer, chosen);
    const openGroup = (row: Row) => openStores(state, row.storeIds);
    return {
      columns: [
        column.amount('net', 'Net ₱', 124, (row) => row.net, {
          foot: amount(sum(found.map((row) => row.net))),
          onPickRow: chosen.by === 'store' ? salesOf(state) : openGroup,
        }),
        column.count('receipts', 'Receipts', 88, (row) => row.receipts, {
          onPickRow: chosen.by === 'store' ? partsOf(state, 'ticket') : openGroup,
          foot: count(sum(found.map((row) => row.receipts))),
        }),
        ...MEASURES.map((measure): MatrixColumn<Row> => {
          const { id, label, sub, name, write } = measure;
          const all = answer.total[id];
          return {
            id,
            label,
            sub,
            title: name,
            width: 112,
            least: 104,
            value: (row) => row[id],
            format: write,
            cell: (row) => <Beside measure={measure} value={row[id]} median={of(row)?.[id]} />,
            foot: filtered || all == null ? undefined : write(all),
            onPickRow: chosen.by === 'store' ? partsOf(state, id) : openGroup,
          };
        }),
      ],
    };
  },
  foot: ({ filtered }) => (filtered ? 'Total of those shown' : 'All stores'),
  aside: ({ rows, answer: { total }, chosen: { by } }) =>
    [
      plural(rows.length, ...things({ by })),
      `${money(total.net)} net`,
      total.ticket != null && `${money(total.ticket)} a ticket`,
    ]
      .filter(Boolean)
      .join(DOT),
  notices: ({ answer }) => (
    <Notices>
      <WithoutSales answer={answer} />
      <Notice quiet>{TICKET}</Notice>
      {answer.gaps.map(({ lacks, stores }) => (
        <Notice key={lacks} quiet={lacks !== 'floor'}>
          {LACKS[lacks]} {stores.length > 3 ? plural(stores.length, 'store') : storeLabel(stores)}.
        </Notice>
      ))}
      {answer.wasteWithoutPrice > 0 && (
        <Notice>
          {plural(answer.wasteWithoutPrice, 'line of waste has', 'lines of waste have')} no price.
        </Notice>
      )}
    </Notices>
  ),
  onName: 'chart',
  kindBesideName: 'atDesk',
  chart: (shown) => <TwoMeasures {...shown} />,
});

/** Where the parts of a measure are. */
const PARTS: Readonly<Partial<Record<MeasureId, PageKey>>> = {
  perM2: 'reportProductSalesByStore',
  perSeat: 'reportProductSalesByStore',
  ticket: 'reportSalesTerminal',
  countCompliance: 'reportCountCompliance',
  fillRate: 'storesOrders',
  forecastError: 'toolsForecastAccuracy',
  wasteShare: 'storesTransactions',
  variance: 'reportCountVariance',
};

/** How the address of a page names a store. */
function storeIn(page: PageKey, id: string): Record<string, string> {
  if (page.startsWith('report')) return { stores: id };
  if (page === 'toolsForecastAccuracy') return { store: id };
  return page === 'storesTransactions' ? { tab: 'waste', storeId: id } : { storeId: id };
}

/** Opens the parts of a store's figure, over the same days. */
function partsOf(state: ReportState, measure: MeasureId): ((row: Row) => void) | undefined {
  const page = PARTS[measure];
  const open = page && state.leadTo(page);
  if (!page || !open) return undefined;
  const { from, to: until } = state.range;
  return ({ id }) => {
    const days = { from, to: until };
    open(pages[page].path + queryString({ ...storeIn(page, id), ...days }));
  };
}

/** The median a row is compared with. */
function medianOf(
  { medians }: Scorecard,
  { by, against }: Chosen,
): (row: Row) => Median | undefined {
  const of = by === 'store' ? against : 'all';
  return (row) => {
    const name = of === 'all' ? '' : ((of === 'area' ? row.area : row.format) ?? '');
    return medians.find((one) => one.of === of && one.name === name);
  };
}

interface BesideProps {
  measure: Measure;
  value: number | null | undefined;
  median: number | null | undefined;
}

/** A figure, and whether it beats the median. */
function Beside({ measure, value, median }: BesideProps) {
  if (value == null) return '–';
  const ahead = median == null || value === median ? 0 : value > median ? 1 : -1;
  const good = ahead === (measure.better === 'more' ? 1 : -1);
  const words =
    median == null
      ? undefined
      : `${measure.full(value)}, ${ahead === 0 ? 'the median' : `median ${measure.full(median)}`}`;
  return (
    <span className={classes.beside} title={words}>
      {measure.write(value)}
      <i className={classes.side} data-good={ahead === 0 ? undefined : good} aria-hidden="true">
        {ahead === 0 ? '' : ahead > 0 ? '▲' : '▼'}
      </i>
      {ahead !== 0 && <span className="sr-only">{good ? 'better' : 'worse'} than the median</span>}
    </span>
  );
}

export type Told = Shown<Scorecard, Row, Chosen>;
