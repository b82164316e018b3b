import { Button, Select, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { type ComesWhole, useComesWhole } from '#/api/names';
import { useCan } from '#/api/session';
import { AddItem } from '#/documents/AddItem';
import { useDocument } from '#/documents/api';
import classes from '#/documents/Document.module.css';
import { DocumentFrame, DocumentStandIn } from '#/documents/DocumentFrame';
import { DraftProblem } from '#/documents/DraftProblem';
import { OverridesOnPaper, overrideColumns } from '#/documents/overrides';
import { removeColumn } from '#/documents/RemoveLine';
import { type Receipt, type ReceiptHead, receiptDef } from '#/documents/receipts';
import { StateBar } from '#/documents/StateBar';
import {
  labelOf,
  RETURN_REASONS,
  SETTLEMENTS,
  type SupplierReturn,
  type SupplierReturnHead,
  type SupplierReturnLine,
  supplierReturnDef,
  useEnds,
} from '#/documents/supplierReturns';
import { typedNumber, useDraft } from '#/documents/useDraft';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid } from '#/grid/EntryGrid';
import type { GridColumn } from '#/grid/types';
import { pages, to } from '#/paths';
import { DateField } from '#/ui/DateField';
import { today } from '#/ui/dates';
import { day, moment, money, plural, qty } from '#/ui/format';
import { NumericInput } from '#/ui/NumericInput';
import { done } from '#/ui/toast';

const back = { to: pages.commissarySupplierReturns.path, label: 'Supplier returns' };

export default function SupplierReturnPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useDocument<SupplierReturnHead, SupplierReturn>(
    supplierReturnDef,
    id,
  );
  // A new return opens over the list.
  if (id === 'new')
    return <Navigate to={to('commissarySupplierReturns', null, { open: 'new' })} replace />;
  if (!data) {
    return (
      <DocumentStandIn
        def={supplierReturnDef}
        error={error}
        back={back}
        retry={() => void refetch()}
      />
    );
  }
  return <ReturnView key={data.id} document={data} />;
}

/** A supplier return: edited, sent, settled. */
function ReturnView({ document }: { document: SupplierReturn }) {
  const ends = useEnds(document);
  const mayEdit = useCan(supplierReturnDef.page, 'edit');
  const draft = document.status === 'draft' && mayEdit && document.can.includes('cancel');
  const settling = document.status === 'sent' && mayEdit && document.can.includes('settle');
  const typed = useDraft<SupplierReturnHead, SupplierReturnLine>(supplierReturnDef, document, {
    lineOf: (line, model) => ({
      id: line.id,
      productId: line.productId,
      uomId: line.uomId,
      qty: typedNumber(model, line.id, 'qty', line.qty),
      reason: model.text(line.id, 'reason') ?? line.reason,
      note: model.text(line.id, 'note') ?? line.note ?? '',
      lot: model.text(line.id, 'lot') ?? line.lot ?? '',
      unitPrice: typedNumber(model, line.id, 'unitPrice', line.unitPrice ?? null) ?? '',
    }),
  });
  const { problem, save, saving } = typed;
  const whole = useComesWhole();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `save` uses the values of that moment
  const columns = useMemo(
    () =>
      columnsOf(document, draft, whole, (id) => {
        const at = document.lines.findIndex((line) => line.id === id);
        void save((lines) => lines.filter((_, i) => i !== at));
      }),
    [document, draft, whole],
  );
  const saveAndSay = () => void save().then((now) => now && done('Supplier return saved'));

  return (
    <DocumentFrame
      def={supplierReturnDef}
      document={document}
      back={back}
      facts={[
        ['From', ends.place],
        ['Supplier', ends.supplier],
        ['Sent back on', draft ? null : day(document.returnDate)],
        ['Receipt', document.receiptId ? <ReceiptLink key="r" id={document.receiptId} /> : null],
        ['Sent at', document.sentAt ? moment(document.sentAt) : null],
        ['Worth', worthOf(document)],
        ['Settled by', settling ? null : labelOf(SETTLEMENTS, document.settlement)],
        ['Credited', settling ? null : document.creditedAmount && money(document.creditedAmount)],
        ['Credit memo', settling ? null : document.creditMemoNo],
        ['Note', settling ? null : document.settlementNote],
        ['Notes', draft ? null : document.notes],
      ]}
      actions={
        <StateBar
          def={supplierReturnDef}
          document={document}
          before={(step) =>
            step === 'send' || step === 'settle' ? save() : Promise.resolve(document)
          }
          onTaken={typed.forget}
          onRefused={typed.setProblem}
          overrides={{ notEnough: 'You can send it anyway. Say why the stock is wrong.' }}
          actions={
            (draft || settling) && (
              <Button
                variant="default"
                loading={saving}
                disabled={!typed.dirty}
                onClick={saveAndSay}
              >
                Save
              </Button>
            )
          }
        />
      }
      notices={problem && <DraftProblem problem={problem} />}
    >
      {draft && (
        <div className={`${classes.fields} no-print`}>
          <DateField
            size="xs"
            w={150}
            label="Sent back on"
            max={today()}
            value={String(typed.head.returnDate ?? document.returnDate)}
            error={typed.errorOf('returnDate')}
            onChange={(date) => typed.setField('returnDate', date)}
          />
          <TextInput
            size="xs"
            w={300}
            label="Notes"
            value={String(typed.head.notes ?? document.notes ?? '')}
            error={typed.errorOf('notes')}
            onChange={(event) => typed.setField('notes', event.currentTarget.value)}
          />
        </div>
      )}
      {settling && <Settlement document={document} typed={typed} />}
      <EntryGrid
        label="What goes back"
        rows={document.lines}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        columns={columns}
        model={typed.model}
        errors={typed.errors}
        onSave={draft ? saveAndSay : undefined}
      />
      <OverridesOnPaper overrides={document.overrides} lines={document.lines} />
      {draft && (
        <div className="no-print">
          <AddItem
            busy={saving}
            onAdd={({ productId, uomId, qty }) =>
              void save((lines) => [...lines, { productId, uomId, qty, reason: 'quality' }])
            }
          />
        </div>
      )}
      <LeaveGuard dirty={typed.dirty} what={`supplier return ${document.returnNo}`} />
    </DocumentFrame>
  );
}

type Typed = Pick<ReturnType<typeof useDraft>, 'head' | 'setField' | 'errorOf'>;

/** The settlement: a credit with its memo, or replacement goods. */
function Settlement({ document, typed }: { document: SupplierReturn; typed: Typed }) {
  const { head, setField, errorOf } = typed;
  const text = (name: 'creditMemoNo' | 'settlementNote', label: string, width: number) => (
    <TextInput
      size="xs"
      w={width}
      label={label}
      value={String(head[name] ?? document[name] ?? '')}
      error={errorOf(name)}
      onChange={(event) => setField(name, event.currentTarget.value)}
    />
  );
  const settlement = String(head.settlement ?? document.settlement ?? '');
  const credited = head.creditedAmount ?? document.creditedAmount;
  return (
    <div className={`${classes.fields} no-print`}>
      <Select
        size="xs"
        w={150}
        label="Settled by"
        placeholder="Choose"
        data={[...SETTLEMENTS]}
        value={settlement || null}
        error={errorOf('settlement')}
        onChange={(next) => setField('settlement', next ?? '')}
        allowDeselect={false}
      />
      {settlement !== 'replaced' && (
        <>
          <NumericInput
            size="xs"
            w={130}
            label="Amount credited"
            reads="money"
            min={0}
            value={typeof credited === 'number' ? credited : null}
            error={errorOf('creditedAmount')}
            onChange={(next) => setField('creditedAmount', next ?? '')}
          />
          {text('creditMemoNo', 'Credit memo no.', 150)}
        </>
      )}
      {text('settlementNote', 'Note', 260)}
    </div>
  );
}

/** The goods' worth, saying so if some have no price. */
function worthOf({ amount, lines }: SupplierReturn): string | null {
  const unpriced = lines.filter(({ unitPrice }) => unitPrice == null).length;
  if (amount === null || unpriced === 0) return amount === null ? null : money(amount);
  return `${money(amount)}, without ${plural(unpriced, 'item that has', 'items that have')} no price`;
}

/** Link to the receipt that the goods came with. */
function ReceiptLink({ id }: { id: string }) {
  const { data } = useDocument<ReceiptHead, Receipt>(receiptDef, id);
  return <Link to={receiptDef.href(id)}>{data?.receiptNo ?? 'Receipt'}</Link>;
}

function columnsOf(
  document: SupplierReturn,
  draft: boolean,
  whole: ComesWhole,
  onRemove: (id: string) => void,
): GridColumn<SupplierReturnLine>[] {
  const text = (id: 'note' | 'lot', label: string, width: number) => ({
    id,
    label,
    width,
    phone: 'sub' as const,
    cell: (line: SupplierReturnLine) => line[id] ?? '',
    ...(draft && {
      edit: { kind: 'text' as const, value: (line: SupplierReturnLine) => line[id] ?? null },
    }),
  });
  const columns: GridColumn<SupplierReturnLine>[] = [
    { id: 'name', label: 'Item', primary: true, cell: ({ name }) => name },
    { id: 'sku', label: 'SKU', width: 100, phone: 'none', cell: ({ sku }) => sku ?? '' },
    {
      id: 'qty',
      label: 'Quantity',
      width: 104,
      right: true,
      ...(!draft && { phone: 'sub' as const }),
      cell: (line) => qty(line.qty),
      ...(draft && {
        edit: {
          kind: 'number' as const,
          unit: ({ uomCode }: SupplierReturnLine) => uomCode,
          whole: ({ uomId }: SupplierReturnLine) => whole(uomId),
          value: (line: SupplierReturnLine) => line.qty,
          check: (value: number | null) =>
            value === null || value <= 0 ? 'Enter a quantity above zero.' : null,
        },
      }),
    },
    { id: 'unit', label: 'Unit', width: 80, phone: 'sub', cell: ({ uomCode }) => uomCode },
    {
      id: 'reason',
      label: 'Reason',
      width: 140,
      phone: 'sub',
      cell: ({ reason }) => labelOf(RETURN_REASONS, reason),
      ...(draft && {
        edit: {
          kind: 'text' as const,
          value: ({ reason }: SupplierReturnLine) => reason,
          options: () => RETURN_REASONS,
        },
      }),
    },
    text('note', 'What is wrong', 180),
    text('lot', 'Lot', 110),
    ...overrideColumns<SupplierReturnLine>(document.overrides),
    {
      id: 'unitPrice',
      label: 'Unit price',
      width: 104,
      right: true,
      phone: 'sub',
      cell: ({ unitPrice }) => money(unitPrice ?? null),
      ...(draft && {
        edit: {
          kind: 'number' as const,
          reads: () => 'price' as const,
          value: ({ unitPrice }: SupplierReturnLine) => unitPrice ?? null,
        },
      }),
    },
    {
      id: 'amount',
      label: 'Worth',
      width: 110,
      right: true,
      phone: 'sub',
      cell: (line) => money(line.unitPrice == null ? null : line.qty * line.unitPrice),
      foot: () => money(document.amount),
    },
  ];
  if (document.receiptId) {
    columns.push({
      id: 'refused',
      label: 'On arrival',
      width: 100,
      phone: 'sub',
      cell: ({ refused }) => (refused ? 'Refused' : 'Accepted'),
    });
  }
  if (draft) {
    columns.push(removeColumn(onRemove));
  }
  return columns;
}
