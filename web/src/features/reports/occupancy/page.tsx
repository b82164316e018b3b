import type { components } from '#/api/schema.gen';
import { MARKS } from '#/charts/marks';
import { to } from '#/paths';
import { column } from '#/reports/columns';
import { defineReport } from '#/reports/define';
import type { Shown } from '#/reports/found';
import { FixLink, Notice, Notices } from '#/reports/frame/Notices';
import { Picture } from '#/reports/Picture';
import type { ReportState } from '#/reports/question/useReport';
import { span } from '#/reports/question/weeks';
import { amount, money, percent } from '#/ui/format';
import { sum } from '#/ui/sums';
import { type By, byChoice, openStores, salesOf, storeLabel, things } from '../storeRows';

type Schemas = components['schemas'];
type Occupancy = Schemas['Occupancy'];
type Row = Schemas['OccupancyRow'] & { kind: null };
type Chosen = { by: By };

const FROM: Record<Schemas['RentFrom'], string> = {
  certified: 'Certified month',
  lease: 'Lease',
  store: 'Store’s record',
};

const PARTS = [
  { id: 'fixed', label: 'Fixed rent', of: (row: Row) => row.fixed },
  { id: 'percentage', label: 'Percentage rent', of: (row: Row) => row.percentage },
  { id: 'cusa', label: 'Common area', of: (row: Row) => row.cusa },
  { id: 'aircon', label: 'Air conditioning', of: (row: Row) => row.aircon },
  { id: 'other', label: 'Other charges', of: (row: Row) => row.other },
] as const;

const IN_CHART = 16;
const ON_PHONE = 6;

/** Each store’s occupancy cost as a share of its sales. */
export default defineReport<Occupancy, Row, Chosen>({
  page: 'reportOccupancy',
  name: 'occupancy',
  usual: 'last-month',
  things,
  words: ({ by }) => `Occupancy cost by ${things({ by })[0]}`,
  choices: byChoice,
  rows: ({ items }) => items.map((row) => ({ ...row, kind: null })),
  columns: ({ answer, state, chosen: { by }, found, filtered }) => {
    const foot = (of: (row: Row) => number | null | undefined) => amount(sum(found.map(of)));
    const ofStores = by === 'store';
    const openGroup = (row: Row) => openStores(state, row.storeIds);
    const openRent = ofStores ? rentOf(state) : openGroup;
    return {
      columns: [
        column.amount<Row>('net', 'Net ₱', 124, (row) => row.net, {
          foot: foot((row) => row.net),
          onPickRow: ofStores ? salesOf(state) : openGroup,
        }),
        ...PARTS.map(({ id, label, of }) =>
          column.amount<Row>(id, `${label} ₱`, 128, of, {
            foot: foot(of),
            onPickRow: openRent,
          }),
        ),
        column.amount<Row>('cost', 'All ₱', 116, (row) => row.cost, {
          foot: foot((row) => row.cost),
          onPickRow: openRent,
        }),
        ...(ofStores
          ? [
              column.text<Row>('from', 'Rent from', 148, (row) =>
                row.rentFrom ? FROM[row.rentFrom] : null,
              ),
            ]
          : []),
      ],
      total: column.share('share', 'Of net sales', 108, (row) => row.share, {
        foot: filtered ? undefined : percent(answer.total.share),
      }),
    };
  },
  aside: ({ answer: { total } }) =>
    `${percent(total.share)} of ${money(total.netWithRent)} net · ${money(total.cost)}`,
  notices: ({ answer, state }) => <Missing {...answer} asked={state.range.to} />,
  onName: 'filter',
  chart: (shown) => <Costs {...shown} />,
});

/** Opens what a store's rent comes from: the certified month, else its record. */
function rentOf(state: ReportState): ((row: Row) => void) | undefined {
  const [certified, record] = [state.leadTo('salesCmsr'), state.leadTo('storesLocation')];
  if (!certified && !record) return undefined;
  return ({ id, rentFrom }) => {
    const month = state.range.to.slice(0, 7);
    if (rentFrom === 'certified' && certified)
      certified(to('salesCmsr', null, { store: id, month }));
    else record?.(to('storesLocation', { id }));
  };
}

function Missing({
  withoutRent,
  withoutArea,
  withoutCharges,
  to,
  asked,
}: Occupancy & { asked: string }) {
  return (
    <Notices>
      {to < asked && (
        <Notice quiet>No sales yet after {span({ from: to, to })}: rent ends there too.</Notice>
      )}
      {withoutRent.length > 0 && (
        <Notice>
          No lease or rent for {storeLabel(withoutRent)}: they count in no share.{' '}
          <FixLink page="storesLocations">Open stores</FixLink>
        </Notice>
      )}
      {withoutArea.length > 0 && (
        <Notice>No floor area for {storeLabel(withoutArea)}: charges a m² are left out.</Notice>
      )}
      {withoutCharges.length > 0 && (
        <Notice quiet>No charges beside rent for {storeLabel(withoutCharges)}.</Notice>
      )}
    </Notices>
  );
}

function Costs({ state, answer, found, rows }: Shown<Occupancy, Row, Chosen>) {
  const most = state.phone ? ON_PHONE : IN_CHART;
  const shown = rows.filter((row) => row.cost != null).slice(0, most);
  const share = (row: Row, part: number | null | undefined) =>
    row.netWithRent ? (part ?? 0) / row.netWithRent : null;
  return (
    <Picture
      state={state}
      title={
        shown.length < found.length
          ? `Occupancy cost of net sales, the first ${shown.length}`
          : 'Occupancy cost of net sales'
      }
      summary={`${span(answer)}: ${percent(answer.total.share)} in all. ${shown.map((row) => `${row.name}: ${percent(row.share)}.`).join(' ')}`}
      kind="stacked"
      legend
      points={shown.map(({ id, name }) => ({ key: id, label: name, title: name }))}
      series={PARTS.map(({ id, label, of }, at) => ({
        id,
        label,
        values: shown.map((row) => share(row, of(row))),
        mark: at % MARKS,
      }))}
      format={(value) => percent(value)}
      short={(value) => percent(value, 0)}
    />
  );
}
