// What a row changes, in words. References come by their names already.
import type { Field } from '#/form/types';
import { isBlank, valueText } from '#/history/labels';
import { plural } from '#/ui/format';
import type { Change, ImportField, ImportList, Row } from '../types';

/** The fields of a list as the words of records' history take them. */
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

/** A change short enough for a row of a table. */
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

/** The changes of a row; of a new record only what it has. */
export function changesOf({ outcome, changes }: Row): Change[] {
  return outcome === 'created' ? changes.filter(({ after }) => !isBlank(after)) : changes;
}
