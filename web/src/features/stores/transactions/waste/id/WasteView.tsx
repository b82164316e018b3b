import { Button, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { useComesWhole, useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { AddItem } from '#/documents/AddItem';
import classes from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { DraftProblem } from '#/documents/DraftProblem';
import { Photos } from '#/documents/Photos';
import { StateBar } from '#/documents/StateBar';
import { typedNumber, useDraft } from '#/documents/useDraft';
import { type Waste, type WasteHead, type WasteLine, wasteDef } from '#/documents/waste';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid } from '#/grid/EntryGrid';
import { to } from '#/paths';
import { DateField } from '#/ui/DateField';
import { today } from '#/ui/dates';
import { day, money, plural } from '#/ui/format';
import { done } from '#/ui/toast';
import { columnsOf } from './columns';

export const back = { to: to('storesTransactions', null, { tab: 'waste' }), label: 'Waste' };

/** A waste report: written, submitted, and approved if its value requires it. */
export function WasteView({ waste }: { waste: Waste }) {
  const stores = useNameOf('stores');
  const mayEdit = useCan(wasteDef.page, 'edit');
  const draft = waste.status === 'draft' && mayEdit && waste.can.includes('cancel');
  const typed = useDraft<WasteHead, WasteLine>(wasteDef, waste, {
    lineOf: (line, model) => ({
      id: line.id,
      productId: line.productId,
      uomId: line.uomId,
      qty: typedNumber(model, line.id, 'qty', line.qty),
      reason: model.text(line.id, 'reason') ?? line.reason,
      note: model.text(line.id, 'note') ?? line.note ?? '',
      lot: model.text(line.id, 'lot') ?? line.lot ?? '',
    }),
  });
  const { problem, save, saving } = typed;
  const whole = useComesWhole();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `save` uses the values of that moment
  const columns = useMemo(
    () =>
      columnsOf(waste, draft, whole, (id) => {
        const at = waste.lines.findIndex((line) => line.id === id);
        void save((lines) => lines.filter((_, i) => i !== at));
      }),
    [waste, draft, whole],
  );
  const saveAndSay = () => void save().then((now) => now && done('Waste report saved'));
  const rejected =
    waste.status === 'rejected' && waste.steps.findLast(({ step }) => step === 'reject');

  return (
    <DocumentFrame
      def={wasteDef}
      document={waste}
      back={back}
      facts={[
        ['Store', stores.get(waste.storeId ?? '')?.name],
        ['Date', draft ? null : day(waste.businessDate)],
        ['Worth', waste.amount === null ? null : money(waste.amount)],
        [
          'Needs approval above',
          waste.status === 'submitted' && waste.approvalAbove != null
            ? money(waste.approvalAbove)
            : null,
        ],
        ['Notes', draft ? null : waste.notes],
      ]}
      actions={
        <StateBar
          def={wasteDef}
          document={waste}
          before={(step) => (step === 'submit' ? save() : Promise.resolve(waste))}
          onTaken={typed.forget}
          onRefused={typed.setProblem}
          actions={
            draft && (
              <Button
                variant="default"
                loading={saving}
                disabled={!typed.dirty}
                onClick={saveAndSay}
              >
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
          rejected && (
            <div className={classes.notice} data-tone="danger">
              <p>Rejected: {rejected.reason}</p>
            </div>
          )
        )
      }
    >
      {draft && (
        <div className={`${classes.fields} no-print`}>
          <DateField
            size="xs"
            w={150}
            label="Date"
            max={today()}
            value={String(typed.head.businessDate ?? waste.businessDate)}
            error={typed.errorOf('businessDate')}
            onChange={(date) => typed.setField('businessDate', date)}
          />
          <TextInput
            size="xs"
            w={260}
            label="Notes"
            value={String(typed.head.notes ?? waste.notes ?? '')}
            error={typed.errorOf('notes')}
            onChange={(event) => typed.setField('notes', event.currentTarget.value)}
          />
          <span className={`${classes.totals} ${classes.push}`}>
            <b>{plural(waste.lines.length, 'item')}</b>
          </span>
        </div>
      )}
      <Photos
        storeId={waste.storeId ?? ''}
        ids={(typed.head.photos as string[] | undefined) ?? waste.photos ?? []}
        onChange={draft ? (ids) => typed.setField('photos', ids) : undefined}
        error={typed.errorOf('photos')}
      />
      <EntryGrid
        label="What was thrown away"
        rows={waste.lines}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        columns={columns}
        model={typed.model}
        errors={typed.errors}
        onSave={draft ? saveAndSay : undefined}
      />
      {draft && (
        <div className="no-print">
          <AddItem
            busy={saving}
            onAdd={({ productId, uomId, qty }) =>
              void save((lines) => [...lines, { productId, uomId, qty, reason: 'expired' }])
            }
          />
        </div>
      )}
      <LeaveGuard dirty={typed.dirty} what={`waste report ${waste.wasteNo}`} />
    </DocumentFrame>
  );
}
