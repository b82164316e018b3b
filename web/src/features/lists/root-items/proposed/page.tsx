import { IconCheck, IconReceipt, IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { pages } from '#/paths';
import { recordPath, recordRight } from '#/records';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { day, money, plural } from '#/ui/format';
import { Linked } from '#/ui/Linked';
import { Segments } from '#/ui/Segments';
import {
  accept,
  type Decided,
  dismiss,
  type PriceProposal,
  type ProposalState,
  STATES,
  useProposals,
} from '../proposals';

const LABELS: Record<ProposalState, string> = {
  open: 'Open',
  accepted: 'Accepted',
  dismissed: 'Dismissed',
  withdrawn: 'Withdrawn',
};

/** Prices that receipts of supplier goods propose for root items, to accept or dismiss. */
export default function ProposedPrices() {
  const table = useTableState();
  const state = STATES.find((one) => one === table.get('state')) ?? 'open';
  const { data, isPending, error, refetch } = useProposals(state);
  const source = clientSource({ data: data?.items, isPending, error, refetch });
  const suppliers = useNameOf('suppliers');
  const mayEdit = useCan('lists/allLists', 'edit') && state === 'open';
  const mayOpen = useCan(recordRight('receipt'));
  const saving = useSave({ shows: 'toast' });
  const columns = useMemo(
    () => columnsOf((id) => suppliers.get(id ?? '')?.name ?? null, state === 'open', mayOpen),
    [suppliers, state, mayOpen],
  );
  const take = (rows: PriceProposal[], clear?: () => void) =>
    void saving.run(() => accept(rows), { said: accepted, onSaved: clear });
  const drop = (rows: PriceProposal[], clear?: () => void) =>
    void saving.run(() => dismiss(rows), {
      said: `${plural(rows.length, 'price')} dismissed`,
      onSaved: clear,
    });

  return (
    <DataTable<PriceProposal>
      id="proposed-prices"
      title="Proposed prices"
      back={<BackLink to={pages.listRootItems.path} label="Root items" />}
      one="proposed price"
      many="proposed prices"
      icon={IconReceipt}
      source={source}
      columns={columns}
      rowId={({ id }) => id}
      rowLabel={({ rootItemName, receiptNo }) => `${rootItemName} by ${receiptNo}`}
      state={table}
      placeholder="Find a root item, product or receipt"
      filters={
        <Segments
          label="State"
          value={state}
          options={STATES.map((value) => ({ value, label: LABELS[value] }))}
          onChange={(next) => table.set({ state: next === 'open' ? null : next })}
        />
      }
      rowActions={
        mayEdit
          ? [
              { label: 'Accept', icon: IconCheck, run: (row) => take([row]) },
              { label: 'Dismiss', icon: IconX, run: (row) => drop([row]) },
            ]
          : undefined
      }
      bulkActions={
        mayEdit
          ? [
              { label: 'Accept', run: take },
              { label: 'Dismiss', run: drop },
            ]
          : undefined
      }
      empty={{
        title: state === 'open' ? 'No price is proposed' : 'None',
        text: 'A receipt of supplier goods with prices proposes what its root items cost.',
      }}
    />
  );
}

const accepted = ({ decided, weeks }: Decided) => {
  const said = `${plural(decided, 'price')} accepted`;
  return weeks.length > 0 ? `${said}; ${plural(weeks.length, 'weekly snapshot')} made again` : said;
};

/** «24 Nov 2026», and why not the receipt's date. */
function counts({ from, since }: PriceProposal): string {
  if (since === 'superseded') return 'Not at all: a newer receipt’s price counts';
  const why = {
    receipt: '',
    frozen: ', after frozen weeks',
    setLater: ', price set since',
  };
  return `${day(from)}${why[since]}`;
}

function columnsOf(
  supplierOf: (id: string | null | undefined) => string | null,
  open: boolean,
  mayOpen: boolean,
): Column<PriceProposal>[] {
  return [
    {
      id: 'rootItem',
      label: 'Root item',
      primary: true,
      value: ({ rootItemName }) => rootItemName,
    },
    {
      id: 'priceThen',
      label: 'Price then',
      width: 110,
      value: ({ priceThen }) => priceThen,
      number: money,
      title: 'In force on the receipt’s day',
    },
    {
      id: 'price',
      label: 'Proposed',
      width: 110,
      value: ({ price }) => price,
      number: money,
      phone: 'end',
    },
    {
      id: 'from',
      label: 'Counts from',
      width: 240,
      value: ({ from }) => from,
      cell: (row) => counts(row),
      hidden: !open,
      phone: 'sub',
    },
    {
      id: 'product',
      label: 'Received',
      width: 200,
      value: ({ productName }) => productName,
      phone: 'none',
    },
    {
      id: 'unitPrice',
      label: 'At',
      width: 130,
      value: ({ unitPrice }) => unitPrice,
      cell: ({ unitPrice, uomCode }) => `${money(unitPrice)} / ${uomCode ?? ''}`,
      align: 'right',
      phone: 'none',
    },
    {
      id: 'receipt',
      label: 'Receipt',
      width: 130,
      value: ({ receiptNo }) => receiptNo,
      cell: ({ receiptId, receiptNo }) => (
        <Linked href={mayOpen ? recordPath('receipt', receiptId) : null}>{receiptNo}</Linked>
      ),
      phone: 'none',
    },
    {
      id: 'onDate',
      label: 'On',
      width: 120,
      value: ({ onDate }) => onDate,
      cell: (row) => day(row.onDate),
    },
    {
      id: 'supplier',
      label: 'Supplier',
      width: 150,
      value: ({ supplierId }) => supplierOf(supplierId),
      muted: true,
      hidden: true,
      phone: 'none',
    },
  ];
}
