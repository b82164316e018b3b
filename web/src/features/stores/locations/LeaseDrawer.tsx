import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { DrawerForm } from '#/form/DrawerForm';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { today } from '#/ui/dates';
import { ErrorBox } from '#/ui/ErrorBox';
import { parseDecimal } from '#/ui/format';
import { done } from '#/ui/toast';
import classes from './deliveries/Deliveries.module.css';
import { type Lease, removeLease, saveLease } from './leases';

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

const text = (value: number | null | undefined) => (value == null ? '' : String(value));
const number = (typed: string) => parseDecimal(typed) ?? 0;

/** A store's lease: fixed rent, percentage, breakpoints and what the lessor adds back. */
export function LeaseDrawer({ storeId, lease, onClose }: Props) {
  const [head, setHead] = useState({
    validFrom: lease?.validFrom ?? today(),
    validTo: lease?.validTo ?? '',
    fixed: text(lease?.terms.fixed),
    percent: text(lease?.terms.percent),
    mode: lease?.terms.mode ?? 'greaterOf',
    notes: lease?.notes ?? '',
  });
  const [backs, setBacks] = useState(
    () =>
      lease?.terms.addBacks.map((one) => ({
        name: one.name,
        value: text(one.amount ?? one.percent),
        of: one.amount != null ? 'amount' : (one.of ?? ''),
      })) ?? [],
  );
  const [breaks, setBreaks] = useState(
    () =>
      lease?.terms.breakpoints.map((one) => ({
        over: text(one.over),
        percent: text(one.percent),
      })) ?? [],
  );
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const error = (field: string) => problem?.fields.find((one) => one.field === field)?.message;
  const set = (by: Partial<typeof head>) => setHead((now) => ({ ...now, ...by }));

  async function run(work: () => Promise<unknown>, said: string): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      done(said);
      onClose();
    } catch (refused) {
      setProblem(Problem.of(refused));
    } finally {
      setBusy(false);
    }
  }

  const draft = () => ({
    storeId,
    validFrom: head.validFrom,
    validTo: head.validTo || null,
    notes: head.notes,
    revision: lease?.revision ?? null,
    terms: {
      fixed: number(head.fixed),
      percent: number(head.percent),
      mode: head.mode,
      breakpoints: breaks.map((one) => ({ over: number(one.over), percent: number(one.percent) })),
      addBacks: backs.map(({ name, value, of }) =>
        of === 'amount'
          ? { name, amount: number(value) }
          : { name, percent: number(value), ...(of ? { of } : {}) },
      ),
    },
  });

  return (
    <DrawerFrame opened title={lease ? 'Lease' : 'New lease'} size={560} onClose={onClose}>
      <DrawerForm
        shortcut
        onSubmit={() => void run(() => saveLease(lease?.id ?? null, draft()), 'Lease saved')}
        danger={
          lease && (
            <Button
              variant="subtle"
              color="red"
              disabled={busy}
              onClick={() => void run(() => removeLease(lease.id), 'Lease removed')}
            >
              Remove lease
            </Button>
          )
        }
        buttons={
          <>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Save lease
            </Button>
          </>
        }
      >
        <div className={classes.form}>
          {problem && problem.fields.length === 0 && <ErrorBox focus>{problem.message}</ErrorBox>}
          <div className={classes.pair}>
            <TextInput
              type="date"
              label="First day"
              value={head.validFrom}
              error={error('validFrom')}
              onChange={(event) => set({ validFrom: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              label="Last day"
              description="Empty while it goes on"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={head.validTo}
              error={error('validTo')}
              onChange={(event) => set({ validTo: event.currentTarget.value })}
            />
            <TextInput
              label="Fixed rent a month"
              inputMode="decimal"
              value={head.fixed}
              error={error('terms.fixed')}
              onChange={(event) => set({ fixed: event.currentTarget.value })}
            />
            <TextInput
              label="Percentage of net sales"
              inputMode="decimal"
              value={head.percent}
              error={error('terms.percent')}
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
                inputMode="decimal"
                value={one.over}
                error={error(`terms.breakpoints.${at}.over`)}
                onChange={(event) => {
                  const over = event.currentTarget.value;
                  setBreaks((now) => now.map((it, i) => (i === at ? { ...it, over } : it)));
                }}
              />
              <TextInput
                label="Percentage instead"
                inputMode="decimal"
                value={one.percent}
                error={error(`terms.breakpoints.${at}.percent`)}
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
                    inputMode="decimal"
                    value={one.value}
                    error={error(`terms.addBacks.${at}.amount`)}
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
