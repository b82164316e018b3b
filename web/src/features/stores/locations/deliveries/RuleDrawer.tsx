import { Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { plural } from '#/ui/format';
import { NumericInput } from '#/ui/NumericInput';
import { WEEKDAYS } from '#/ui/weekdays';
import { DaysDrawer, Weekdays } from '../DaysDrawer';
import { applyRule, type DeliveryRule, removeRule, setRule } from './api';
import classes from './Deliveries.module.css';

interface Props {
  /** Its stores; with one, its rule is changed, with several, theirs are replaced. */
  storeIds: readonly string[];
  rule: DeliveryRule | null;
  groups: readonly { group: string; items: readonly { value: string; label: string }[] }[];
  onClose(): void;
}

const USUAL = { weekdays: [1, 3, 5], cutoffTime: '16:00', cutoffDays: 1, skipHolidays: true };

const LABELS = {
  weekdays: 'Delivery days',
  cutoffTime: 'Orders close at',
  cutoffDays: 'Days before',
  skipHolidays: 'No delivery on regular holidays',
};

const shown = (draft: typeof USUAL) => ({
  ...draft,
  weekdays: draft.weekdays.map((day) => WEEKDAYS[day - 1]),
});

/** When a source delivers to one or several stores. */
export function RuleDrawer({ storeIds, rule, groups, onClose }: Props) {
  const first = groups[0]?.items[0]?.value ?? '';
  const [source, setSource] = useState(rule ? `${rule.sourceType}:${rule.sourceId}` : first);
  const [draft, setDraft] = useState({ ...USUAL, ...(rule ?? {}) });
  const saving = useSave<DeliveryRule>({ revision: rule?.revision });
  const [only = ''] = storeIds;
  const [sourceType = '', sourceId = ''] = source.split(':');
  const error = (field: string) =>
    saving.problem?.fields.find((one) => one.field.endsWith(field))?.message;

  const save = () => {
    const { weekdays, cutoffTime, cutoffDays, skipHolidays } = draft;
    const written = { weekdays, cutoffTime, cutoffDays, skipHolidays };
    void saving.run<unknown>(
      (revision) =>
        storeIds.length === 1
          ? setRule({ storeId: only, sourceType, sourceId }, { ...written, revision })
          : applyRule([...storeIds], { sourceType, sourceId }, written),
      { said: 'Delivery days saved', onSaved: onClose },
    );
  };

  const remove = () =>
    void saving.run(() => removeRule({ storeId: only, sourceType, sourceId }), {
      said: 'Delivery days removed',
      onSaved: onClose,
    });

  const title =
    storeIds.length === 1
      ? 'Delivery days'
      : `Delivery days of ${plural(storeIds.length, 'store')}`;
  return (
    <DaysDrawer
      title={title}
      busy={saving.busy}
      onSave={save}
      onRemove={rule ? remove : undefined}
      onClose={onClose}
    >
      <SaveProblem
        save={saving}
        versions={(theirs) => compare(LABELS, shown(draft), shown({ ...USUAL, ...theirs }))}
        onTheirs={(theirs) => {
          setDraft({ ...USUAL, ...theirs });
          saving.setProblem(null);
        }}
      />
      <Select
        label="Delivered from"
        data={groups.map(({ group, items }) => ({ group, items: [...items] }))}
        value={source || null}
        onChange={(value) => value && setSource(value)}
        allowDeselect={false}
        disabled={rule !== null}
        searchable
        error={error('sourceId')}
      />
      <Weekdays
        legend="Delivery days"
        value={draft.weekdays}
        error={error('weekdays')}
        onChange={(weekdays) => setDraft({ ...draft, weekdays })}
      />
      <div className={classes.pair}>
        <TextInput
          label="Orders close at"
          type="time"
          value={draft.cutoffTime}
          error={error('cutoffTime')}
          onChange={(event) => setDraft({ ...draft, cutoffTime: event.currentTarget.value })}
        />
        <NumericInput
          reads="whole"
          label="Days before"
          min={0}
          max={14}
          value={draft.cutoffDays}
          error={error('cutoffDays')}
          onChange={(days) => setDraft({ ...draft, cutoffDays: days as number })}
        />
      </div>
      <Checkbox
        label="No delivery on regular holidays"
        checked={draft.skipHolidays}
        onChange={(event) => setDraft({ ...draft, skipHolidays: event.currentTarget.checked })}
      />
    </DaysDrawer>
  );
}
