import { Button, TextInput } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { Fragment, useMemo, useState } from 'react';
import { scannedLine } from '#/api/barcodes';
import { useComesWhole, useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import classes from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { DraftProblem } from '#/documents/DraftProblem';
import {
  type Delivery,
  type DeliveryHead,
  deliveryDef,
  type ShipmentLine,
} from '#/documents/deliveries';
import { OrderLink } from '#/documents/OrderLink';
import { StateBar } from '#/documents/StateBar';
import { degrees, typedNumber, useDraft } from '#/documents/useDraft';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid } from '#/grid/EntryGrid';
import { useBarcodes } from '#/offline/barcodes';
import { pages } from '#/paths';
import { DOT, day, moment, plural, qty } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { done } from '#/ui/toast';
import { unknownCode } from '#/ui/unknownCode';
import { usePhone } from '#/ui/usePhone';
import { useScanner } from '#/ui/useScanner';
import { columnsOf } from './columns';
import { DeliveryNote } from './DeliveryNote';
import note from './DeliveryNote.module.css';
import { PickList } from './PickList';

export const back = { to: pages.commissaryDeliveries.path, label: 'Deliveries' };

const HEAD = [
  ['vehicle', 'Vehicle', 120],
  ['driver', 'Driver', 160],
  ['sealNo', 'Seal no.', 110],
  ['departTempC', 'Temperature °C', 120],
  ['signatureName', 'Signed by', 160],
] as const;

const hasLeft = ({ status }: Pick<Delivery, 'status'>) =>
  !['draft', 'picking', 'packed'].includes(status);

/** A delivery: picked line by line, packed, dispatched, and followed until it is settled. */
export function DeliveryView({ delivery }: { delivery: Delivery }) {
  const stores = useNameOf('stores');
  const sources = useNameOf(delivery.sourceType === 'warehouse' ? 'warehouses' : 'commissaries');
  const mayEdit = useCan(deliveryDef.page, 'edit');
  const typed = useDraft<DeliveryHead, ShipmentLine>(deliveryDef, delivery, {
    lineOf: (line, model) => ({
      id: line.id,
      picked: typedNumber(model, line.id, 'picked', line.picked ?? null),
      lot: model.text(line.id, 'lot') ?? line.lot ?? '',
      expiry: model.text(line.id, 'expiry') ?? line.expiry ?? '',
    }),
    headOf: ({ departTempC, ...typed }) => ({ ...typed, ...degrees('departTempC', departTempC) }),
  });
  const { model, head, problem, dirty, errors, save, saving } = typed;
  const picking = mayEdit && ['draft', 'picking'].includes(delivery.status);
  const leaving = mayEdit && !hasLeft(delivery);
  const whole = useComesWhole();
  const columns = useMemo(() => columnsOf(delivery, picking, whole), [delivery, picking, whole]);
  const tapping = usePhone() && picking;

  const barcodes = useBarcodes();
  const [goTo, setGoTo] = useState<{ row: string; column: string } | null>(null);
  const scan = (code: string) => {
    const line = scannedLine(delivery.lines, code, barcodes);
    if (line) setGoTo({ row: line.id, column: 'picked' });
    else unknownCode(code);
  };
  // The list to tap has its own.
  useScanner(picking && !tapping ? scan : null);

  const toPick = delivery.lines.filter(
    (line) => model.number(line.id, 'picked', line.picked ?? null) === null,
  );
  const saveAndSay = () => void save().then((now) => now && done('Delivery saved'));
  const fields = leaving && (
    <div className={`${classes.fields} no-print`}>
      {HEAD.map(([name, label, width]) => (
        <TextInput
          key={name}
          size="xs"
          w={width}
          label={label}
          {...(name === 'departTempC' && numberField('factor', '°C'))}
          value={String(head[name] ?? delivery[name] ?? '')}
          error={typed.errorOf(name)}
          onChange={(event) => typed.setField(name, event.currentTarget.value)}
        />
      ))}
      {picking && !tapping && (
        <Button
          size="xs"
          variant="light"
          leftSection={<IconChecks size={15} aria-hidden />}
          disabled={toPick.length === 0}
          onClick={() => {
            model.set(
              toPick.map((line) => ({
                row: line.id,
                column: 'picked',
                text: String(line.ordered),
              })),
            );
            model.commit();
          }}
        >
          {toPick.length === 0
            ? 'Everything is picked'
            : `All ${plural(toPick.length, 'line')} picked as ordered`}
        </Button>
      )}
    </div>
  );
  return (
    <DocumentFrame
      def={deliveryDef}
      document={delivery}
      back={back}
      facts={[
        ['Store', stores.get(delivery.storeId ?? '')?.name],
        ['From', sources.get(delivery.sourceId ?? '')?.name],
        ['Planned for', day(delivery.plannedDate)],
        ['Dispatched', delivery.dispatchedAt ? moment(delivery.dispatchedAt) : null],
        ['Load', loadOf(delivery)],
        ...HEAD.map(
          ([name, label]) => [label, leaving ? null : String(delivery[name] ?? '')] as const,
        ),
        [
          'Orders',
          delivery.orderIds.length > 0 && (
            <span className="no-print">
              {delivery.orderIds.map((id, i) => (
                <Fragment key={id}>
                  {i > 0 && ', '}
                  <OrderLink id={id} />
                </Fragment>
              ))}
            </span>
          ),
        ],
      ]}
      actions={
        <StateBar
          def={deliveryDef}
          document={delivery}
          before={(step) => (step === 'cancel' ? Promise.resolve(delivery) : save())}
          onTaken={(now) => {
            typed.setProblem(null);
            // Until dispatch, what is typed during a step waits to be saved.
            if (hasLeft(now)) typed.forget();
          }}
          onRefused={typed.setProblem}
          overrides={{
            notEnough:
              'It can be sent all the same, for example when the count is wrong. Say why; the stock goes below zero until it is counted again.',
          }}
          actions={
            leaving && (
              <Button variant="default" loading={saving} disabled={!dirty} onClick={saveAndSay}>
                Save
              </Button>
            )
          }
        />
      }
      notices={
        <>
          <DraftProblem problem={problem} />
          {delivery.warnings.length > 0 && leaving && (
            <div className={classes.notice}>
              {delivery.warnings.map((warning) => (
                <p key={warning}>{warning}</p>
              ))}
            </div>
          )}
        </>
      }
    >
      {!tapping && fields}
      {tapping ? (
        <PickList delivery={delivery} model={model} errors={errors} load={loadOf(delivery)} />
      ) : (
        <div className={`${note.screen} no-print`}>
          <EntryGrid
            label="What it brings"
            rows={delivery.lines}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
            columns={columns}
            model={model}
            errors={errors}
            goTo={goTo}
            onSave={saveAndSay}
          />
        </div>
      )}
      {tapping && fields}
      <DeliveryNote delivery={delivery} />
      <LeaveGuard dirty={dirty} what={`delivery ${delivery.deliveryNo}`} />
    </DocumentFrame>
  );
}

function loadOf({ loadKg, loadCbm }: Delivery): string {
  const parts = [
    loadKg ? `${qty(Math.round(loadKg * 10) / 10)} kg` : '',
    loadCbm ? `${qty(Math.round(loadCbm * 1000) / 1000)} m³` : '',
  ];
  return parts.filter(Boolean).join(DOT);
}
