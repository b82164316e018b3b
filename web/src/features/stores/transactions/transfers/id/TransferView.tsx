import { Button, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { useComesWhole, useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { AddItem } from '#/documents/AddItem';
import classes from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { DraftProblem } from '#/documents/DraftProblem';
import type { ShipmentLine } from '#/documents/deliveries';
import { OverridesOnPaper } from '#/documents/overrides';
import { StateBar } from '#/documents/StateBar';
import { type Transfer, type TransferHead, transferDef } from '#/documents/transfers';
import { typedNumber, useDraft } from '#/documents/useDraft';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid } from '#/grid/EntryGrid';
import { pages } from '#/paths';
import { DateField } from '#/ui/DateField';
import { day, moment, plural } from '#/ui/format';
import { done } from '#/ui/toast';
import { columnsOf } from './columns';

export const back = { to: pages.storesTransactions.path, label: 'Transfers' };

/** A transfer: editable while a draft, then followed until the other store has received it. */
export function TransferView({ transfer }: { transfer: Transfer }) {
  const stores = useNameOf('stores');
  const mayEdit = useCan(transferDef.page, 'edit');
  const draft = transfer.status === 'draft' && mayEdit && transfer.can.includes('cancel');
  const typed = useDraft<TransferHead, ShipmentLine>(transferDef, transfer, {
    lineOf: (line, model) => ({
      id: line.id,
      qty: typedNumber(model, line.id, 'qty', line.ordered),
      lot: model.text(line.id, 'lot') ?? line.lot ?? '',
      expiry: model.text(line.id, 'expiry') ?? line.expiry ?? '',
    }),
    columnOf: (field) => (['picked', 'ordered'].includes(field) ? 'qty' : field),
  });
  const { model, problem, save, saving } = typed;
  const whole = useComesWhole();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `save` uses the values of that moment
  const columns = useMemo(
    () =>
      columnsOf(transfer, draft, whole, (id) => {
        const at = transfer.lines.findIndex((line) => line.id === id);
        void save((lines) => lines.filter((_, i) => i !== at));
      }),
    [transfer, draft, whole],
  );
  const saveAndSay = () => void save().then((now) => now && done('Transfer saved'));

  return (
    <DocumentFrame
      def={transferDef}
      document={transfer}
      back={back}
      facts={[
        ['From', stores.get(transfer.sourceId ?? '')?.name],
        ['To', stores.get(transfer.storeId ?? '')?.name],
        ['Planned for', draft ? null : day(transfer.plannedDate)],
        ['Sent', transfer.dispatchedAt ? moment(transfer.dispatchedAt) : null],
        ['Driver', draft ? null : transfer.driver],
        ['Signed by', draft ? null : transfer.signatureName],
        ['Notes', draft ? null : transfer.notes],
      ]}
      actions={
        <StateBar
          def={transferDef}
          document={transfer}
          before={(step) => (step === 'dispatch' ? save() : Promise.resolve(transfer))}
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
      notices={<DraftProblem problem={problem} />}
    >
      {draft && (
        <div className={`${classes.fields} no-print`}>
          <DateField
            size="xs"
            w={150}
            label="Planned for"
            value={String(typed.head.plannedDate ?? transfer.plannedDate)}
            error={typed.errorOf('plannedDate')}
            onChange={(date) => typed.setField('plannedDate', date)}
          />
          {(
            [
              ['driver', 'Driver', 160],
              ['signatureName', 'Signed by', 160],
              ['notes', 'Notes', 260],
            ] as const
          ).map(([name, label, width]) => (
            <TextInput
              key={name}
              size="xs"
              w={width}
              label={label}
              value={String(typed.head[name] ?? transfer[name] ?? '')}
              error={typed.errorOf(name)}
              onChange={(event) => typed.setField(name, event.currentTarget.value)}
            />
          ))}
          <span className={`${classes.totals} ${classes.push}`}>
            <b>{plural(transfer.lines.length, 'item')}</b>
          </span>
        </div>
      )}
      <EntryGrid
        label="What is sent"
        rows={transfer.lines}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        columns={columns}
        model={model}
        errors={typed.errors}
        onSave={draft ? saveAndSay : undefined}
      />
      <OverridesOnPaper overrides={transfer.overrides} lines={transfer.lines} />
      {draft && (
        <div className="no-print">
          <AddItem
            busy={saving}
            onAdd={({ productId, uomId, qty }) =>
              void save((lines) => [...lines, { productId, uomId, qty }])
            }
          />
        </div>
      )}
      <LeaveGuard dirty={typed.dirty} what={`transfer ${transfer.transferNo}`} />
    </DocumentFrame>
  );
}
