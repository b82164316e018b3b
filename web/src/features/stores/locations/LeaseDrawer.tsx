import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { components } from '#/api/schema.gen';
import { DrawerForm } from '#/form/DrawerForm';
import { SaveButtons } from '#/form/SaveButtons';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { DateField } from '#/ui/DateField';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { today } from '#/ui/dates';
import { numberField } from '#/ui/numberField';
import { faultOf, type NumberKind, numberOf, showNumber } from '#/ui/numberInput';
import classes from './deliveries/Deliveries.module.css';
import { type Lease, removeLease, saveLease } from './leases';

type CmsrFigure = components['schemas']['CmsrFigure'];

interface Props {
  storeId: string;
  lease: Lease | null;
  onClose(): void;
}

/** Of what an add-back may be a part; an amount is none. */
const PARTS = [
  { value: 'amount', label: '₱ a month' },
  { value: '', label: '% of net sales without VAT' },
  { value: 'exempt', label: '% of VAT-exempt sales' },
  { value: 'unapprovedPromo', label: '% of unapproved promos' },
  { value: 'approvedPromo', label: '% of approved promos' },
  { value: 'employee', label: '% of employee discount' },
  { value: 'vip', label: '% of VIP discount' },
  { value: 'senior', label: '% of senior citizen discount' },
  { value: 'pwd', label: '% of PWD discount' },
  { value: 'serviceRetained', label: '% of service charge retained' },
];

const pesos = (value: number | null | undefined) => showNumber(value, 'money');
const share = (value: number | null | undefined) => showNumber(value, 'percent');
/** An empty field is nothing; what is no number is refused before anything is sent. */
const number = (typed: string, as: NumberKind) => numberOf(typed, as) ?? 0;
const wrong = (typed: string, as: NumberKind) => (typed.trim() === '' ? null : faultOf(typed, as));
const kindOf = (of: string): NumberKind => (of === 'amount' ? 'money' : 'percent');

const headOf = (lease: Lease | null) => ({
  validFrom: lease?.validFrom ?? today(),
  validTo: lease?.validTo ?? '',
  fixed: pesos(lease?.terms.fixed),
  percent: share(lease?.terms.percent),
  mode: lease?.terms.mode ?? 'greaterOf',
  notes: lease?.notes ?? '',
});

const backsOf = (lease: Lease | null) =>
  lease?.terms.addBacks.map((one) => ({
    name: one.name,
    value: one.amount != null ? pesos(one.amount) : share(one.percent),
    of: one.amount != null ? 'amount' : (one.of ?? ''),
  })) ?? [];

const breaksOf = (lease: Lease | null) =>
  lease?.terms.breakpoints.map((one) => ({
    over: pesos(one.over),
    percent: share(one.percent),
  })) ?? [];

const LABELS = {
  validFrom: 'First day',
  validTo: 'Last day',
  fixed: 'Fixed rent a month',
  percent: 'Percentage of net sales',
  mode: 'Rent due',
  notes: 'Notes',
  breaks: 'Percentages above some sales',
  backs: 'Added back',
};

/** A lease as texts, to compare two versions of it. */
function shown(
  head: ReturnType<typeof headOf>,
  breaks: ReturnType<typeof breaksOf>,
  backs: ReturnType<typeof backsOf>,
) {
  return {
    ...head,
    mode: head.mode === 'additive' ? 'Fixed and percentage' : 'The greater of both',
    breaks: breaks.map(({ over, percent }) => `${percent}% above ${over}`),
    backs: backs.map(({ name, value, of }) => `${name} ${value}${of === 'amount' ? '' : '%'}`),
  };
}

/** A store's lease: fixed rent, percentage, breakpoints and what the lessor adds back. */
export function LeaseDrawer({ storeId, lease, onClose }: Props) {
  const [head, setHead] = useState(() => headOf(lease));
  const [backs, setBacks] = useState(() => backsOf(lease));
  const [breaks, setBreaks] = useState(() => breaksOf(lease));
  const saving = useSave<Lease>({ revision: lease?.revision });
  const error = saving.errorOf;
  const set = (by: Partial<typeof head>) => setHead((now) => ({ ...now, ...by }));

  const valid =
    !wrong(head.fixed, 'money') &&
    !wrong(head.percent, 'percent') &&
    breaks.every(({ over, percent }) => !wrong(over, 'money') && !wrong(percent, 'percent')) &&
    backs.every(({ value, of }) => !wrong(value, kindOf(of)));

  const draft = (revision: number | null) => ({
    storeId,
    validFrom: head.validFrom,
    validTo: head.validTo || null,
    notes: head.notes,
    revision,
    terms: {
      fixed: number(head.fixed, 'money'),
      percent: number(head.percent, 'percent'),
      mode: head.mode,
      breakpoints: breaks.map((one) => ({
        over: number(one.over, 'money'),
        percent: number(one.percent, 'percent'),
      })),
      addBacks: backs.map(({ name, value, of }) =>
        of === 'amount'
          ? { name, amount: number(value, 'money') }
          : { name, percent: number(value, 'percent'), ...(of ? { of: of as CmsrFigure } : {}) },
      ),
    },
  });

  return (
    <DrawerFrame opened title={lease ? 'Lease' : 'New lease'} size={560} onClose={onClose}>
      <DrawerForm
        shortcut
        onSubmit={() => {
          if (!valid) return;
          void saving.run((revision) => saveLease(lease?.id ?? null, draft(revision)), {
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
            versions={(theirs) =>
              compare(
                LABELS,
                shown(head, breaks, backs),
                shown(headOf(theirs), breaksOf(theirs), backsOf(theirs)),
              )
            }
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
          {breaks.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: breakpoints have no other name
            <div key={at} className={classes.pair}>
              <TextInput
                label="Above sales of"
                {...numberField('money')}
                value={one.over}
                error={wrong(one.over, 'money') ?? error(`terms.breakpoints.${at}.over`)}
                onChange={(event) => {
                  const over = event.currentTarget.value;
                  setBreaks((now) => now.map((it, i) => (i === at ? { ...it, over } : it)));
                }}
              />
              <TextInput
                label="Percentage instead"
                {...numberField('percent')}
                value={one.percent}
                error={wrong(one.percent, 'percent') ?? error(`terms.breakpoints.${at}.percent`)}
                rightSection={
                  <Remove
                    name={`breakpoint ${at + 1}`}
                    onClick={() => setBreaks((now) => now.filter((_, i) => i !== at))}
                  />
                }
                onChange={(event) => {
                  const percent = event.currentTarget.value;
                  setBreaks((now) => now.map((it, i) => (i === at ? { ...it, percent } : it)));
                }}
              />
            </div>
          ))}
          <Button
            size="xs"
            variant="default"
            onClick={() => setBreaks((now) => [...now, { over: '', percent: '' }])}
          >
            Another percentage above some sales
          </Button>
          {backs.map((one, at) => {
            const change = (by: Partial<typeof one>) =>
              setBacks((now) => now.map((it, i) => (i === at ? { ...it, ...by } : it)));
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: add-backs have no other name while typed
              <div key={at}>
                <TextInput
                  label="Added back"
                  placeholder="Marketing fund"
                  value={one.name}
                  error={error(`terms.addBacks.${at}.name`)}
                  rightSection={
                    <Remove
                      name={one.name || `add-back ${at + 1}`}
                      onClick={() => setBacks((now) => now.filter((_, i) => i !== at))}
                    />
                  }
                  onChange={(event) => change({ name: event.currentTarget.value })}
                />
                <div className={classes.pair}>
                  <TextInput
                    aria-label={`How much of ${one.name}`}
                    mt={6}
                    {...numberField(kindOf(one.of))}
                    value={one.value}
                    error={wrong(one.value, kindOf(one.of)) ?? error(`terms.addBacks.${at}.amount`)}
                    onChange={(event) => change({ value: event.currentTarget.value })}
                  />
                  <NativeSelect
                    aria-label={`Of what ${one.name} is`}
                    mt={6}
                    data={PARTS}
                    value={one.of}
                    onChange={(event) => change({ of: event.currentTarget.value })}
                  />
                </div>
              </div>
            );
          })}
          <Button
            size="xs"
            variant="default"
            onClick={() => setBacks((now) => [...now, { name: '', value: '', of: 'amount' }])}
          >
            Something the lessor adds back
          </Button>
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

function Remove({ name, onClick }: { name: string; onClick(): void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={onClick}>
      <IconX size={15} aria-hidden />
    </ActionIcon>
  );
}
