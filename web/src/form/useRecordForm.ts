import { useForm } from '@mantine/form';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Problem } from '#/api/problem';
import type { Field, FormValues, Wire } from './types';
import { useSave } from './useSave';
import { changedFields, fromRecord, merge, toWire, validate } from './values';

export interface Saved {
  id: string;
  revision: number;
  updatedAt?: string | null;
  updatedBy?: { name?: string | null } | null;
}

interface Options<T extends Saved> {
  fields: readonly Field[];
  /** Null for a new one. */
  record: T | null;
  /** Initial values of a new record. */
  initial?: Wire;
  /** Sends the changes based on `revision`; resolves to null when the user cancelled. */
  save(changed: Wire, revision: number | null): Promise<T | null>;
  onSaved(record: T, created: boolean): void;
}

export interface Stale {
  problem: Problem;
  base: Wire;
  theirs: Saved;
}

/** The state of a record's form: values, errors, changes, saving and conflicts. */
export function useRecordForm<T extends Saved>(options: Options<T>) {
  const { fields, record, initial, save, onSaved } = options;
  const base = useRef({
    wire: toWire(fields, fromRecord(fields, record ?? initial ?? null)),
    revision: record?.revision ?? null,
  });
  const saving = useSave();
  const [stale, setStale] = useState<Stale | null>(null);

  const form = useForm<FormValues>({
    initialValues: fromRecord(fields, record ?? initial ?? null),
    validateInputOnBlur: true,
    validate: (values) => validate(fields, values),
  });

  const wire = useMemo(() => toWire(fields, form.values), [fields, form.values]);
  const changed = useMemo(() => changedFields(base.current.wire, wire), [wire]);
  const dirty = Object.keys(changed).length > 0;

  /** Shows the server's errors at their fields; true if any of them has one. */
  const place = useCallback(
    (found: Problem): boolean => {
      const errors: Record<string, string> = {};
      for (const { field, message } of found.fields) errors[field] = message;
      form.setErrors(errors);
      const placed = Object.keys(errors).some((path) =>
        fields.some(({ name }) => path === name || path.startsWith(`${name}.`)),
      );
      if (placed) focusFirst(fields, errors);
      return placed;
    },
    [form.setErrors, fields],
  );

  const send = (body: Wire, revision: number | null) =>
    saving.run(() => save(body, revision), {
      onSaved: (saved) => {
        if (!saved) return;
        base.current = {
          wire: toWire(fields, fromRecord(fields, saved)),
          revision: saved.revision,
        };
        setStale(null);
        form.setValues(fromRecord(fields, saved));
        onSaved(saved, revision === null);
      },
      refused: (found) => {
        const theirs = found.extras.current as Saved | undefined;
        if (found.code === 'stale' && theirs) {
          setStale({ problem: found, base: base.current.wire, theirs });
          return true;
        }
        setStale(null);
        return place(found);
      },
    });

  async function submit(): Promise<void> {
    if (saving.busy) return;
    const wrong = validate(fields, form.values);
    form.setErrors(wrong);
    if (Object.keys(wrong).length > 0) {
      focusFirst(fields, wrong);
      return;
    }
    const { revision } = base.current;
    await send(revision === null ? present(wire) : changed, revision);
  }

  /** Continues from the other user's version, keeping the user's values of the `chosen` fields. */
  function resolve(chosen: ReadonlySet<string>): void {
    if (!stale) return;
    const theirs = toWire(fields, fromRecord(fields, stale.theirs));
    const { merged, conflicts } = merge(fields, stale.base, wire, theirs);
    for (const { field, theirs: value } of conflicts) {
      if (!chosen.has(field.name)) merged[field.name] = value;
    }
    base.current = { wire: theirs, revision: stale.theirs.revision };
    form.setValues(fromRecord(fields, merged));
    const body = changedFields(theirs, merged);
    if (Object.keys(body).length > 0) void send(body, stale.theirs.revision);
    else setStale(null);
  }

  return {
    form,
    busy: saving.busy,
    problem: saving.problem,
    stale,
    dirty,
    changed,
    submit,
    resolve,
    keepTyping: () => setStale(null),
    reset: () => form.setValues(fromRecord(fields, record)),
  };
}

export type RecordForm = ReturnType<typeof useRecordForm<Saved>>;

/** Drops the empty fields of a new record. */
function present(wire: Wire): Wire {
  return Object.fromEntries(
    Object.entries(wire).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function focusFirst(fields: readonly Field[], errors: Record<string, string>): void {
  const paths = Object.keys(errors);
  const order = (path: string) => fields.findIndex(({ name }) => path.split('.')[0] === name);
  const first = paths.sort((a, b) => order(a) - order(b))[0];
  if (!first) return;
  requestAnimationFrame(() => {
    const found =
      document.querySelector<HTMLElement>(`[data-path="${first}"]`) ??
      document.querySelector<HTMLElement>(`[data-path^="${first.split('.')[0]}"]`);
    found?.focus();
    found?.scrollIntoView({ block: 'center' });
  });
}
