import { Button, TextInput } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { Fragment, useMemo, useState } from 'react';
import { useComesWhole, useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { documentChanged } from '#/documents/api';
import classes from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { type Delivery, deliveriesApi, deliveryDef } from '#/documents/deliveries';
import { OrderLink } from '#/documents/OrderLink';
import { StateBar } from '#/documents/StateBar';
import { unsent } from '#/documents/useDraft';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid, useGridModel, useStamp } from '#/grid/EntryGrid';
import { GridModel } from '#/grid/model';
import { pages } from '#/paths';
import { day, moment, plural, qty } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { numberOf } from '#/ui/numberInput';
import { done } from '#/ui/toast';
import { usePhone } from '#/ui/usePhone';
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
type HeadField = (typeof HEAD)[number][0];

const hasLeft = ({ status }: Pick<Delivery, 'status'>) =>
  !['draft', 'picking', 'packed'].includes(status);

/** A delivery: picked line by line, packed, sent, and followed until all of it is settled. */
export function DeliveryView({ delivery }: { delivery: Delivery }) {
  const model = useGridModel(() => new GridModel());
  useStamp(model);
  const stores = useNameOf('stores');
  const sources = useNameOf(delivery.sourceType === 'warehouse' ? 'warehouses' : 'commissaries');
  const mayEdit = useCan(deliveryDef.page, 'edit');
  const [head, setHead] = useState<Partial<Record<HeadField, string>>>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [saving, setSaving] = useState(false);
  const picking = mayEdit && ['draft', 'picking'].includes(delivery.status);
  const leaving = mayEdit && !hasLeft(delivery);
  const whole = useComesWhole();
  const columns = useMemo(() => columnsOf(delivery, picking, whole), [delivery, picking, whole]);
  const tapping = usePhone() && picking;
  const dirty = model.dirty || Object.keys(head).length > 0;

  const errors = useMemo(() => {
    const found = new Map<string, string>();
    for (const { field, message } of problem?.fields ?? []) {
      const [, at, name] = field.match(/^lines\.(\d+)\.(\w+)$/) ?? [];
      const line = at === undefined ? undefined : delivery.lines[Number(at)];
      if (line && name) found.set(`${line.id}/${name}`, message);
    }
    return found;
  }, [problem, delivery.lines]);
  const errorOf = (name: string) =>
    problem?.fields.find(({ field }) => field === name)?.message ?? null;

  async function save(): Promise<Delivery | null> {
    if (!dirty) return delivery;
    setSaving(true);
    setProblem(null);
    const settle = model.sending();
    const lines = delivery.lines.map((line) => {
      const picked = model.number(line.id, 'picked', line.picked ?? null);
      return {
        id: line.id,
        picked: Number.isNaN(picked) ? model.text(line.id, 'picked') : picked,
        lot: model.text(line.id, 'lot') ?? line.lot ?? '',
        expiry: model.text(line.id, 'expiry') ?? line.expiry ?? '',
      };
    });
    try {
      const degrees = head.departTempC?.trim();
      const changed = {
        ...head,
        ...(degrees && { departTempC: numberOf(degrees, 'factor') ?? degrees }),
        ...(model.dirty ? { lines } : {}),
      };
      const now = await deliveriesApi.update(delivery.id, delivery.revision, changed);
      documentChanged(deliveryDef, now);
      settle();
      setHead((typed) => unsent(typed, head));
      return now;
    } catch (error) {
      const refused = Problem.of(error);
      setProblem(refused);
      if (refused.code === 'stale')
        documentChanged(deliveryDef, refused.extras.current as Delivery);
      return null;
    } finally {
      setSaving(false);
    }
  }

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
          value={head[name] ?? String(delivery[name] ?? '')}
          error={errorOf(name)}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setHead((now) => ({ ...now, [name]: value }));
          }}
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
            setProblem(null);
            // Until it leaves, what was typed during the step waits to be saved.
            if (!hasLeft(now)) return;
            model.clear();
          }}
          onRefused={(refused) => {
            setProblem(refused);
            return refused.fields.length > 0;
          }}
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
          {problem && (
            <div className={classes.notice} data-tone="danger" role="alert">
              <p>{problem.message}</p>
            </div>
          )}
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
  return parts.filter(Boolean).join(' · ');
}
