import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { Dispatch, SetStateAction } from 'react';
import { numberField } from '#/ui/numberField';
import classes from './deliveries/Deliveries.module.css';
import { type Back, type Break, kindOf, wrong } from './leaseForm';

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

interface BreaksProps {
  breaks: readonly Break[];
  error(field: string): string | undefined;
  onChange: Dispatch<SetStateAction<Break[]>>;
}

/** The percentages that apply above some sales. */
export function Breaks({ breaks, error, onChange }: BreaksProps) {
  const change = (at: number, by: Partial<Break>) =>
    onChange((now) => now.map((it, i) => (i === at ? { ...it, ...by } : it)));
  return (
    <>
      {breaks.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: breakpoints have no other name
        <div key={at} className={classes.pair}>
          <TextInput
            label="Above sales of"
            {...numberField('money')}
            value={one.over}
            error={wrong(one.over, 'money') ?? error(`terms.breakpoints.${at}.over`)}
            onChange={(event) => change(at, { over: event.currentTarget.value })}
          />
          <TextInput
            label="Percentage instead"
            {...numberField('percent')}
            value={one.percent}
            error={wrong(one.percent, 'percent') ?? error(`terms.breakpoints.${at}.percent`)}
            rightSection={
              <Remove
                name={`breakpoint ${at + 1}`}
                onClick={() => onChange((now) => now.filter((_, i) => i !== at))}
              />
            }
            onChange={(event) => change(at, { percent: event.currentTarget.value })}
          />
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        onClick={() => onChange((now) => [...now, { over: '', percent: '' }])}
      >
        Another percentage above some sales
      </Button>
    </>
  );
}

interface BacksProps {
  backs: readonly Back[];
  error(field: string): string | undefined;
  onChange: Dispatch<SetStateAction<Back[]>>;
}

/** What the lessor adds back to the sales. */
export function Backs({ backs, error, onChange }: BacksProps) {
  return (
    <>
      {backs.map((one, at) => {
        const change = (by: Partial<typeof one>) =>
          onChange((now) => now.map((it, i) => (i === at ? { ...it, ...by } : it)));
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
                  onClick={() => onChange((now) => now.filter((_, i) => i !== at))}
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
        onClick={() => onChange((now) => [...now, { name: '', value: '', of: 'amount' }])}
      >
        Something the lessor adds back
      </Button>
    </>
  );
}

function Remove({ name, onClick }: { name: string; onClick(): void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={onClick}>
      <IconX size={15} aria-hidden />
    </ActionIcon>
  );
}
