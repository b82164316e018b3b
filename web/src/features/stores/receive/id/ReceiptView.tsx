import { Button, TextInput } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { scannedLine } from '#/api/barcodes';
import { useComesWhole, useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { type AddedItem, AddItem } from '#/documents/AddItem';
import type { StepBody } from '#/documents/api';
import classes from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { DraftProblem } from '#/documents/DraftProblem';
import { Photos } from '#/documents/Photos';
import { type Receipt, type ReceiptHead, type ReceiptLine, receiptDef } from '#/documents/receipts';
import { StateBar } from '#/documents/StateBar';
import { degrees, typedNumber, useDraft } from '#/documents/useDraft';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid } from '#/grid/EntryGrid';
import { useBarcodes } from '#/offline/barcodes';
import { pages } from '#/paths';
import { recordPath, recordRight } from '#/records';
import { RecallNotice } from '#/stock/RecallNotice';
import { DateField } from '#/ui/DateField';
import { today } from '#/ui/dates';
import { day, moment, plural } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { done } from '#/ui/toast';
import { unknownCode } from '#/ui/unknownCode';
import { useScanner } from '#/ui/useScanner';
import { columnsOf, type Priced } from './columns';
import { Differences } from './Differences';

export const back = { to: pages.storesReceive.path, label: 'Receive' };

const HEAD = [
  ['tempC', 'Temperature °C', 120],
  ['supplierDrNo', 'Delivery note no.', 140],
  ['signatureName', 'Signed by', 160],
] as const;

/** A receipt: filled in as expected, only differences are typed. */
export function ReceiptView({ receipt }: { receipt: Receipt }) {
  const stores = useNameOf('stores');
  const suppliers = useNameOf('suppliers', receipt.sourceType === 'supplier');
  const mayEdit = useCan(receiptDef.page, 'edit');
  const typed = useDraft<ReceiptHead, ReceiptLine>(receiptDef, receipt, {
    lineOf: (line, model) => ({
      id: line.id,
      received: typedNumber(model, line.id, 'received', line.received) ?? 0,
      rejected: typedNumber(model, line.id, 'rejected', line.rejected) ?? 0,
      reason: model.text(line.id, 'reason') ?? line.reason ?? '',
      resolution: model.text(line.id, 'resolution') ?? line.resolution ?? '',
      lot: model.text(line.id, 'lot') ?? line.lot ?? '',
      expiry: model.text(line.id, 'expiry') ?? line.expiry ?? '',
      ...(receipt.sourceType === 'supplier' && {
        unitPrice:
          typedNumber(model, line.id, 'unitPrice', (line as Priced).unitPrice ?? null) ?? '',
      }),
    }),
    headOf: ({ tempC, ...typed }) => ({ ...typed, ...degrees('tempC', tempC) }),
  });
  const { model, head, problem, save, saving } = typed;
  const draft = receipt.status === 'draft' && mayEdit;
  const settles = receipt.status === 'posted' && receipt.can.includes('resolve');
  const supplied = receipt.sourceType === 'supplier';
  const whole = useComesWhole();
  const columns = useMemo(
    () => columnsOf(model, draft, settles, supplied, whole),
    [model, draft, settles, supplied, whole],
  );
  const dirty = draft && typed.dirty;

  const adder = useRef<HTMLDivElement>(null);
  const barcodes = useBarcodes();
  const [goTo, setGoTo] = useState<{ row: string; column: string } | null>(null);
  const scan = (code: string) => {
    const line = scannedLine(receipt.lines, code, barcodes);
    if (line) setGoTo({ row: line.id, column: 'received' });
    else {
      const open = () => adder.current?.querySelector('input')?.focus();
      unknownCode(code, { label: 'Find it by name', open });
    }
  };
  useScanner(draft ? scan : null);

  const received = (line: ReceiptLine) => model.number(line.id, 'received', line.received) ?? 0;
  const rejected = (line: ReceiptLine) => model.number(line.id, 'rejected', line.rejected) ?? 0;
  const differing = receipt.lines.filter(
    (line) => received(line) !== line.expected || rejected(line) > 0,
  );

  const add = ({ productId, uomId, qty: received }: AddedItem) =>
    save((lines) => [
      ...lines,
      { productId, uomId, received, ...(supplied ? {} : { reason: 'notOrdered' }) },
    ]);

  const bodyOf = (step: string): StepBody | null => {
    if (step !== 'resolve') return {};
    const lines = receipt.lines
      .map((line) => ({ id: line.id, resolution: model.text(line.id, 'resolution') ?? '' }))
      .filter(({ resolution }) => resolution && resolution !== 'pending');
    return { lines };
  };
  const open = receipt.status === 'posted' ? receipt.pendingLines : 0;
  const saveAndSay = () => void save().then((now) => now && done('Receipt saved'));

  return (
    <DocumentFrame
      def={receiptDef}
      document={receipt}
      back={back}
      facts={[
        ['Store', stores.get(receipt.storeId ?? '')?.name],
        [
          'From',
          receipt.sourceType === 'supplier' ? (
            suppliers.get(receipt.sourceId ?? '')?.name
          ) : (
            <Source key="source" receipt={receipt} />
          ),
        ],
        ['Received on', draft ? null : day(receipt.businessDate)],
        ['At', receipt.receivedAt ? moment(receipt.receivedAt) : null],
        ...HEAD.map(
          ([name, label]) => [label, draft ? null : String(receipt[name] ?? '')] as const,
        ),
      ]}
      actions={
        <StateBar
          def={receiptDef}
          document={receipt}
          hidden={open > 0 ? ['reconcile'] : ['resolve']}
          before={(step) => (step === 'post' ? save() : Promise.resolve(receipt))}
          bodyOf={bodyOf}
          onTaken={typed.forget}
          onRefused={typed.setProblem}
          actions={
            draft && (
              <Button variant="default" loading={saving} disabled={!dirty} onClick={saveAndSay}>
                Save draft
              </Button>
            )
          }
        />
      }
      notices={
        problem ? (
          <DraftProblem problem={problem} />
        ) : (
          open > 0 && (
            <div className={classes.notice}>
              <p>
                {plural(open, 'difference')} still to be settled: choose what becomes of each, then
                «Settle differences».
              </p>
            </div>
          )
        )
      }
    >
      <RecallNotice storeId={receipt.storeId ?? ''} />
      {draft && (
        <div className={`${classes.fields} no-print`}>
          <DateField
            size="xs"
            w={150}
            label="Received on"
            max={today()}
            value={String(head.businessDate ?? receipt.businessDate)}
            error={typed.errorOf('businessDate')}
            onChange={(date) => typed.setField('businessDate', date)}
          />
          {HEAD.map(([name, label, width]) => (
            <TextInput
              key={name}
              size="xs"
              w={width}
              label={label}
              {...(name === 'tempC' && numberField('factor', '°C'))}
              value={String(head[name] ?? receipt[name] ?? '')}
              error={typed.errorOf(name)}
              onChange={(event) => typed.setField(name, event.currentTarget.value)}
            />
          ))}
          <span className={`${classes.totals} ${classes.push}`} aria-live="polite">
            {differing.length === 0 ? (
              <b>Everything is as expected</b>
            ) : (
              <>
                <b>{plural(differing.length, 'line')}</b> of {receipt.lines.length} differ
              </>
            )}
          </span>
        </div>
      )}
      <Photos
        storeId={receipt.storeId ?? ''}
        ids={(head.photos as string[] | undefined) ?? receipt.photos ?? []}
        onChange={draft ? (ids) => typed.setField('photos', ids) : undefined}
        error={typed.errorOf('photos')}
        captions={captionsOf(receipt)}
      />
      <Differences receipt={receipt} />
      <EntryGrid
        label="What came"
        rows={receipt.lines}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        columns={columns}
        model={model}
        errors={typed.errors}
        goTo={goTo}
        onSave={draft ? saveAndSay : undefined}
      />
      {draft && (
        <div className="no-print" ref={adder}>
          <AddItem busy={saving} onAdd={(item) => void add(item)} />
        </div>
      )}
      <LeaveGuard dirty={dirty} what={`receipt ${receipt.receiptNo}`} />
    </DocumentFrame>
  );
}

/** The source document, linked if the user may open it. */
function Source({ receipt }: { receipt: Receipt }) {
  const kind = receipt.sourceType ?? '';
  const path = recordPath(kind, receipt.sourceId ?? '');
  const may = useCan(recordRight(kind));
  const word = kind === 'transfer' ? 'Transfer' : 'Delivery';
  return path && may ? <Link to={path}>{word}</Link> : word;
}

/** The products that photos show, by photo. */
function captionsOf({ photoProducts, lines }: Receipt): ReadonlyMap<string, string> {
  const names = new Map(lines.map(({ productId, name }) => [productId, name]));
  return new Map(
    Object.entries(photoProducts ?? {}).map(([photo, product]) => [
      photo,
      names.get(product) ?? '',
    ]),
  );
}
