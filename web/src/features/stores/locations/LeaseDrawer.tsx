import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DrawerForm } from '#/form/DrawerForm';
import { SaveButtons } from '#/form/SaveButtons';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { DateField } from '#/ui/DateField';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { numberField } from '#/ui/numberField';
import classes from './deliveries/Deliveries.module.css';
import { Backs, Breaks } from './LeaseRows';
import { backsOf, breaksOf, draftOf, headOf, isValid, versionsOf, wrong } from './leaseForm';
import { type Lease, removeLease, saveLease } from './leases';

interface Props {
  storeId: string;
  lease: Lease | null;
  onClose(): void;
}

/** A store's lease: fixed rent, percentage, breakpoints and what the lessor adds back. */
export function LeaseDrawer({ storeId, lease, onClose }: Props) {
  const [head, setHead] = useState(() => headOf(lease));
  const [backs, setBacks] = useState(() => backsOf(lease));
  const [breaks, setBreaks] = useState(() => breaksOf(lease));
  const saving = useSave<Lease>({ revision: lease?.revision });
  const error = saving.errorOf;
  const set = (by: Partial<typeof head>) => setHead((now) => ({ ...now, ...by }));

  const typed = { head, breaks, backs };

  return (
    <DrawerFrame opened title={lease ? 'Lease' : 'New lease'} size={560} onClose={onClose}>
      <DrawerForm
        shortcut
        onSubmit={() => {
          if (!isValid(typed)) return;
          const draft = { ...draftOf(typed), storeId };
          void saving.run((revision) => saveLease(lease?.id ?? null, { ...draft, revision }), {
            said: 'Lease saved',
            onSaved: onClose,
          });
        }}
        danger={
          lease && (
            <Button
              variant="subtle"
              color="red"
              disabled={saving.busy}
              onClick={() =>
                void saving.run(() => removeLease(lease.id), {
                  said: 'Lease removed',
                  onSaved: onClose,
                })
              }
            >
              Remove lease
            </Button>
          )
        }
        buttons={
          <SaveButtons busy={saving.busy} onCancel={onClose}>
            Save lease
          </SaveButtons>
        }
      >
        <div className={classes.form}>
          <SaveProblem
            save={saving}
            versions={(theirs) => versionsOf(typed, theirs)}
            onTheirs={(theirs) => {
              setHead(headOf(theirs));
              setBreaks(breaksOf(theirs));
              setBacks(backsOf(theirs));
              saving.setProblem(null);
            }}
          />
          <div className={classes.pair}>
            <DateField
              label="First day"
              value={head.validFrom}
              error={error('validFrom')}
              onChange={(date) => set({ validFrom: date })}
            />
            <DateField
              label="Last day"
              description="Empty while it goes on"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={head.validTo}
              error={error('validTo')}
              onChange={(date) => set({ validTo: date })}
            />
            <TextInput
              label="Fixed rent a month"
              {...numberField('money')}
              value={head.fixed}
              error={wrong(head.fixed, 'money') ?? error('terms.fixed')}
              onChange={(event) => set({ fixed: event.currentTarget.value })}
            />
            <TextInput
              label="Percentage of net sales"
              {...numberField('percent')}
              value={head.percent}
              error={wrong(head.percent, 'percent') ?? error('terms.percent')}
              onChange={(event) => set({ percent: event.currentTarget.value })}
            />
          </div>
          <NativeSelect
            label="Rent due"
            data={[
              { value: 'greaterOf', label: 'The greater of fixed and percentage rent' },
              { value: 'additive', label: 'Fixed and percentage rent together' },
            ]}
            value={head.mode}
            onChange={(event) => set({ mode: event.currentTarget.value as typeof head.mode })}
          />
          <Breaks breaks={breaks} error={error} onChange={setBreaks} />
          <Backs backs={backs} error={error} onChange={setBacks} />
          <TextInput
            label="Note"
            maxLength={500}
            value={head.notes}
            error={error('notes')}
            onChange={(event) => set({ notes: event.currentTarget.value })}
          />
        </div>
      </DrawerForm>
    </DrawerFrame>
  );
}
