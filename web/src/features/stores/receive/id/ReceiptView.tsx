import { Button, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useComesWhole, useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { type AddedItem, AddItem } from '#/documents/AddItem';
import { documentChanged, type StepBody } from '#/documents/api';
import classes from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { Photos } from '#/documents/Photos';
import { type Receipt, type ReceiptLine, receiptDef, receiptsApi } from '#/documents/receipts';
import { StateBar } from '#/documents/StateBar';
import { unsent } from '#/documents/useDraft';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid, useGridModel, useStamp } from '#/grid/EntryGrid';
import { GridModel } from '#/grid/model';
import { pages } from '#/paths';
import { recordPath, recordRight } from '#/records';
import { RecallNotice } from '#/stock/RecallNotice';
import { DateField } from '#/ui/DateField';
import { today } from '#/ui/dates';
import { day, moment, plural } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { numberOf } from '#/ui/numberInput';
import { done } from '#/ui/toast';
import { columnsOf } from './columns';
import { Differences } from './Differences';

export const back = { to: pages.storesReceive.path, label: 'Receive' };

const HEAD = [
  ['tempC', 'Temperature °C', 120],
  ['supplierDrNo', 'Delivery note no.', 140],
  ['signatureName', 'Signed by', 160],
] as const;
type HeadField = (typeof HEAD)[number][0] | 'businessDate';

/** A receipt: everything expected is filled in, only what differs is typed. */
export function ReceiptView({ receipt }: { receipt: Receipt }) {
  const model = useGridModel(() => new GridModel());
  useStamp(model);
  const stores = useNameOf('stores');
  const suppliers = useNameOf('suppliers', receipt.sourceType === 'supplier');
  const mayEdit = useCan(receiptDef.page, 'edit');
  const [head, setHead] = useState<Partial<Record<HeadField, string>>>({});
  const [photos, setPhotos] = useState<string[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [saving, setSaving] = useState(false);
  const draft = receipt.status === 'draft' && mayEdit;
  const settles = receipt.status === 'posted' && receipt.can.includes('resolve');
  const supplied = receipt.sourceType === 'supplier';
  const whole = useComesWhole();
  const columns = useMemo(
    () => columnsOf(model, draft, settles, supplied, whole),
    [model, draft, settles, supplied, whole],
  );
  const dirty = draft && (model.dirty || photos !== null || Object.keys(head).length > 0);

  const received = (line: ReceiptLine) => model.number(line.id, 'received', line.received) ?? 0;
  const rejected = (line: ReceiptLine) => model.number(line.id, 'rejected', line.rejected) ?? 0;
  const differing = receipt.lines.filter(
    (line) => received(line) !== line.expected || rejected(line) > 0,
  );

  const errors = useMemo(() => {
    const found = new Map<string, string>();
    for (const { field, message } of problem?.fields ?? []) {
      const [, at, name] = field.match(/^lines\.(\d+)\.(\w+)$/) ?? [];
      const line = at === undefined ? undefined : receipt.lines[Number(at)];
      if (line && name) found.set(`${line.id}/${name}`, message);
    }
    return found;
  }, [problem, receipt.lines]);

  async function save(added?: AddedItem): Promise<Receipt | null> {
    if (!dirty && !added) return receipt;
    setSaving(true);
    setProblem(null);
    const settle = model.sending();
    const raw = (line: ReceiptLine, column: 'received' | 'rejected') => {
      const value = model.number(line.id, column, line[column]);
      return Number.isNaN(value) ? model.text(line.id, column) : (value ?? 0);
    };
    const lines: object[] = receipt.lines.map((line) => ({
      id: line.id,
      received: raw(line, 'received'),
      rejected: raw(line, 'rejected'),
      reason: model.text(line.id, 'reason') ?? line.reason ?? '',
      resolution: model.text(line.id, 'resolution') ?? line.resolution ?? '',
      lot: model.text(line.id, 'lot') ?? line.lot ?? '',
      expiry: model.text(line.id, 'expiry') ?? line.expiry ?? '',
    }));
    if (added) {
      const { productId, uomId, qty: came } = added;
      const reason = receipt.sourceType === 'supplier' ? {} : { reason: 'notOrdered' };
      lines.push({ productId, uomId, received: came, ...reason });
    }
    try {
      const changed = {
        ...head,
        ...(head.tempC?.trim() && { tempC: numberOf(head.tempC, 'factor') ?? head.tempC }),
        ...(photos ? { photos } : {}),
        ...(model.dirty || added ? { lines } : {}),
      };
      const now = await receiptsApi.update(receipt.id, receipt.revision, changed);
      documentChanged(receiptDef, now);
      settle();
      setHead((typed) => unsent(typed, head));
      setPhotos((now) => (now === photos ? null : now));
      return now;
    } catch (error) {
      const refused = Problem.of(error);
      setProblem(refused);
      if (refused.code === 'stale') documentChanged(receiptDef, refused.extras.current as Receipt);
      return null;
    } finally {
      setSaving(false);
    }
  }

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
          onTaken={() => {
            model.clear();
            setProblem(null);
          }}
          onRefused={(refused) => {
            setProblem(refused);
            return refused.fields.length > 0;
          }}
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
          <div className={classes.notice} data-tone="danger" role="alert">
            <p>{problem.message}</p>
          </div>
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
            value={head.businessDate ?? receipt.businessDate}
            error={problem?.fields.find(({ field }) => field === 'businessDate')?.message}
            onChange={(businessDate) => setHead((now) => ({ ...now, businessDate }))}
          />
          {HEAD.map(([name, label, width]) => (
            <TextInput
              key={name}
              size="xs"
              w={width}
              label={label}
              {...(name === 'tempC' && numberField('factor', '°C'))}
              value={head[name] ?? String(receipt[name] ?? '')}
              error={problem?.fields.find(({ field }) => field === name)?.message}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setHead((now) => ({ ...now, [name]: value }));
              }}
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
        ids={photos ?? receipt.photos ?? []}
        onChange={draft ? setPhotos : undefined}
        error={problem?.fields.find(({ field }) => field === 'photos')?.message ?? null}
      />
      <Differences receipt={receipt} />
      <EntryGrid
        label="What came"
        rows={receipt.lines}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        columns={columns}
        model={model}
        errors={errors}
        onSave={draft ? saveAndSay : undefined}
      />
      {draft && (
        <div className="no-print">
          <AddItem busy={saving} onAdd={(item) => void save(item)} />
        </div>
      )}
      <LeaveGuard dirty={dirty} what={`receipt ${receipt.receiptNo}`} />
    </DocumentFrame>
  );
}

/** What it was taken in from, with a link for whoever may open it. */
function Source({ receipt }: { receipt: Receipt }) {
  const kind = receipt.sourceType ?? '';
  const path = recordPath(kind, receipt.sourceId ?? '');
  const may = useCan(recordRight(kind));
  const word = kind === 'transfer' ? 'Transfer' : 'Delivery';
  return path && may ? <Link to={path}>{word}</Link> : word;
}
