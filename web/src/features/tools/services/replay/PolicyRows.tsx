import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { METHODS, methodLabel } from '#/ui/methods';
import { numberField } from '#/ui/numberField';
import { ACTUAL, another, type Draft, type Faults, MOST_POLICIES, USUAL_METHOD } from './ask';
import classes from './Replay.module.css';

interface Props {
  drafts: readonly Draft[];
  faults: Faults;
  /** `whole`: a policy was added or removed, or an option chosen. */
  onChange(drafts: readonly Draft[], whole?: boolean): void;
  /** A field was left. */
  onLeave(): void;
}

const CHOICES = METHODS.map((method) => ({ value: method, label: methodLabel(method) }));

/** The policies to compare, one line each. */
export function PolicyRows({ drafts, faults, onChange, onLeave }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const policies = drafts.filter(({ actual }) => !actual);
  const withActual = drafts.some(({ actual }) => actual);

  function set(at: number, values: Partial<Draft>, whole = false): void {
    onChange(
      drafts.map((draft, i) => (i === at ? { ...draft, ...values } : draft)),
      whole,
    );
  }

  function add(): void {
    onChange([...drafts, another(drafts)], true);
    requestAnimationFrame(() => {
      const names = list.current?.querySelectorAll<HTMLInputElement>('[data-field$=".name"]');
      names?.[names.length - 1]?.select();
    });
  }

  function remove(at: number): void {
    onChange(
      drafts.filter((_, i) => i !== at),
      true,
    );
    requestAnimationFrame(() => document.getElementById('add-policy')?.focus());
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: fields are checked on blur
    <div className={classes.policies} onBlur={onLeave}>
      <div className={classes.heads} aria-hidden>
        <span>Policy</span>
        <span>Forecast</span>
        <span>Aims at</span>
        <span>Lead days</span>
        <span>Review days</span>
        <span>Whole packs</span>
        <span />
      </div>
      <Checkbox
        className={classes.actual}
        label="What was really ordered"
        description="For comparison; it starts at the first count"
        checked={withActual}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? [ACTUAL, ...policies] : policies, true)
        }
      />
      <ul ref={list} className={classes.rows} aria-label="Policies">
        {drafts.map((draft, at) => {
          if (draft.actual) return null;
          const label = draft.name.trim() || `policy ${at + 1}`;
          const text = (
            name: 'name' | 'level' | 'lead' | 'review',
            field: string,
            words: string,
            more: object = {},
          ) => (
            <TextInput
              className={classes[name]}
              label={<span className={classes.fieldLabel}>{words}</span>}
              aria-label={name === 'name' ? 'Name of the policy' : `${words}, ${label}`}
              value={draft[name]}
              error={faults[`policies.${at}.${field}`]}
              data-field={`policies.${at}.${field}`}
              onChange={(event) => set(at, { [name]: event.currentTarget.value })}
              {...more}
            />
          );
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a policy is its index; its name is being typed
            <li key={at} className={classes.row}>
              {text('name', 'name', 'Policy', { maxLength: 60 })}
              <Select
                className={classes.method}
                label={<span className={classes.fieldLabel}>Forecast</span>}
                aria-label={`Forecast, ${label}`}
                data={CHOICES}
                value={draft.method || USUAL_METHOD}
                error={faults[`policies.${at}.method`]}
                allowDeselect={false}
                onChange={(method) =>
                  set(at, { method: method === USUAL_METHOD ? '' : (method ?? '') }, true)
                }
              />
              {text('level', 'serviceLevel', 'Aims at', {
                ...numberField('percent'),
                placeholder: '95',
                rightSection: <span className={classes.unit}>%</span>,
              })}
              {text('lead', 'leadDays', 'Lead days', {
                ...numberField('whole'),
                placeholder: 'as set',
              })}
              {text('review', 'reviewDays', 'Review days', {
                ...numberField('whole'),
                placeholder: 'as set',
              })}
              <Checkbox
                className={classes.packs}
                label={<span className={classes.packsLabel}>Whole packs</span>}
                aria-label={`Whole packs, ${label}`}
                checked={draft.packs}
                onChange={(event) => set(at, { packs: event.currentTarget.checked }, true)}
              />
              <button
                type="button"
                className={classes.remove}
                aria-label={`Remove ${label}`}
                title="Remove"
                onClick={() => remove(at)}
              >
                <IconTrash size={16} stroke={1.7} aria-hidden />
              </button>
            </li>
          );
        })}
      </ul>
      <Button
        id="add-policy"
        size="xs"
        variant="subtle"
        className={classes.add}
        disabled={drafts.length >= MOST_POLICIES}
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={add}
      >
        Add policy
      </Button>
    </div>
  );
}
