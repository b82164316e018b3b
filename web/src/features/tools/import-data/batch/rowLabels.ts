// A row's changes as text. References already have names.
import type { Field } from '#/form/types';
import { isBlank, valueText } from '#/history/labels';
import { plural } from '#/ui/format';
import type { Change, ImportField, ImportList, Row } from '../types';

/** A list's fields in the form the history texts expect. */
export function labelsOf(list: ImportList): Field[] {
  return list.fields.map(({ name, label, kind }) => ({ kind: wordsOf(kind), name, label }));
}

function wordsOf(kind: ImportField['kind']): 'money' | 'date' | 'text' {
  return kind === 'money' || kind === 'date' ? kind : 'text';
}

export interface ChangeLabels {
  field: string;
  label: string;
  before: string;
  after: string;
}

const asTheyAre = (_: string, id: unknown) => String(id);

/** A change, shortened for a table row. */
export function short(change: Change, labels: readonly Field[]): ChangeLabels {
  const label = labels.find(({ name }) => name === change.field);
  const say = (value: unknown) =>
    Array.isArray(value)
      ? plural(value.length, 'line')
      : valueText(value, change.field, asTheyAre, label ?? { kind: 'text', name: '', label: '' });
  return {
    field: change.field,
    label: label?.label ?? change.field,
    before: say(change.before),
    after: say(change.after),
  };
}

/** A row's changes; for a new record only non-empty fields. */
export function changesOf({ outcome, changes }: Row): Change[] {
  return outcome === 'created' ? changes.filter(({ after }) => !isBlank(after)) : changes;
}
