import type { By } from '#/stock/ledger/api';
import type { Column } from '#/table/types';
import { DOT, day, MISSING, plural, qty, signedAmount, signedMoney, signedQty } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { sum } from '#/ui/sums';
import type { OnHand } from './api';

/** Fewer days of cover are marked as short. */
const SHORT_DAYS = 2;
/** An older count, in days, is marked as old. */
const OLD_DAYS = 7;

/** Days of cover to a tenth: «3.5 d» */
const coverOf = (days: number) => `${qty(Math.round(days * 10) / 10)} d`;

/** Smaller differences from the expected quantity are not marked. */
const HANDFUL = 5;

/** The previous count when the last one differs from it in an unlikely way; null when the last one was expected. */
export function previousOfDoubtful({ lastCount, variance }: OnHand): number | null {
  const expected = variance != null && Math.abs(variance) < HANDFUL;
  return expected ? null : (lastCount?.unlike ?? null);
}

/** Whether a person has to look at the last count: it is unlikely, or goods came or left close to it. */
export const isToCheck = (row: OnHand): boolean =>
  row.close > 0 || previousOfDoubtful(row) !== null;

export function columnsOf(by: By, rows: readonly OnHand[]): Column<OnHand>[] {
  // Without a counted row that has a price there is no value, which is not zero.
  const valued = rows.flatMap(({ varianceValue }) => varianceValue ?? []);
  const value = valued.length > 0 ? sum(valued) : null;
  return [
    {
      id: 'name',
      label: by === 'items' ? 'Item' : 'Root item',
      value: ({ name }) => name,
      primary: true,
      total: 'Total',
    },
    ...(by === 'items'
      ? [
          {
            id: 'storageArea',
            label: 'Storage area',
            value: ({ storageArea }: OnHand) => storageArea,
            width: 130,
            muted: true,
            phone: 'none' as const,
          },
        ]
      : []),
    {
      id: 'onHand',
      label: 'On hand',
      value: ({ onHand }) => onHand,
      cell: (row) => (
        <>
          {row.unusable ? (
            <span
              title={`Of this, ${qty(row.unusable)} ${row.uomCode ?? ''} is expired or recalled`}
            >
              <StatusPill tone="warn">{`−${qty(row.unusable)}`}</StatusPill>{' '}
            </span>
          ) : null}
          <span data-negative={row.negative || undefined}>{qty(row.onHand)}</span>{' '}
          <small>{row.uomCode}</small>
        </>
      ),
      align: 'right',
      width: 130,
      phone: 'end',
    },
    {
      id: 'lastCount',
      label: 'Last count',
      value: ({ lastCount }) => lastCount?.at,
      cell: (row) => {
        const { lastCount, uomCode } = row;
        const doubted = previousOfDoubtful(row);
        return lastCount ? (
          <>
            {doubted !== null && (
              <span title="Very different from the count before. Nobody has confirmed it yet.">
                <StatusPill tone="warn">{`was ${qty(doubted)}?`}</StatusPill>{' '}
              </span>
            )}
            {row.close > 0 && (
              <span title="Goods came or left close to this count. Nobody has said if that was before or after it.">
                <StatusPill tone="warn">Not answered</StatusPill>{' '}
              </span>
            )}
            <span title={lastCount.session}>
              {qty(lastCount.qty)} {uomCode}
              {DOT}
              {day(lastCount.date)}
            </span>
          </>
        ) : (
          <StatusPill tone="warn">Never counted</StatusPill>
        );
      },
      width: 220,
      phone: 'sub',
    },
    {
      id: 'ageDays',
      label: 'Age',
      value: ({ ageDays }) => ageDays,
      cell: ({ ageDays }) =>
        ageDays == null ? (
          MISSING
        ) : ageDays > OLD_DAYS ? (
          <StatusPill tone="warn">{plural(ageDays, 'day')}</StatusPill>
        ) : ageDays === 0 ? (
          'today'
        ) : (
          plural(ageDays, 'day')
        ),
      width: 90,
      align: 'right',
    },
    {
      id: 'inTransit',
      label: 'In transit',
      value: ({ inTransit }) => inTransit,
      number: (n) => (n ? qty(n) : MISSING),
      width: 100,
    },
    {
      id: 'expected',
      label: 'Expected at last count',
      value: ({ expected }) => expected,
      number: qty,
      width: 170,
      title: 'What should have been there when it was last counted',
    },
    {
      id: 'variance',
      label: 'Variance',
      value: ({ variance }) => variance,
      number: signedQty,
      width: 110,
      title: 'Counted minus expected',
    },
    {
      id: 'varianceValue',
      label: 'Variance (₱)',
      value: ({ varianceValue }) => varianceValue,
      number: signedAmount,
      width: 130,
      total: signedMoney(value),
    },
    {
      id: 'daysOfCover',
      label: 'Cover',
      value: ({ daysOfCover }) => daysOfCover,
      cell: ({ daysOfCover }) =>
        daysOfCover == null ? (
          MISSING
        ) : daysOfCover < SHORT_DAYS ? (
          <StatusPill tone="danger">{coverOf(daysOfCover)}</StatusPill>
        ) : (
          coverOf(daysOfCover)
        ),
      width: 100,
      align: 'right',
      title: 'Days the stock lasts at the average use of the last four weeks',
    },
  ];
}
