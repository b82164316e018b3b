import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { Problem } from '#/api/problem';
import type { Field } from '#/form/types';
import { useRecordForm } from '#/form/useRecordForm';
import { done } from '#/ui/toast';
import { type Catalogue, peopleChanged, type Role, rolesApi } from '../api';
import { useOwnRights } from '../queries';
import { everyRight, isRight, rightName, toGrants, toRightSet, withApp } from '../rights';

/** A role in the form's shape: each right is a field, so that concurrent changes merge right by right. */
type FormRole = Record<string, unknown> & { id: string; revision: number };

function toForm(role: Role): FormRole {
  const { id, revision, name, description, requireTotp } = role;
  const rights = Object.fromEntries(
    [...toRightSet(role.permissions)].map((right) => [right, true]),
  );
  return { id, revision, name, description, requireTotp, ...rights };
}

function fieldsOf(catalogue: Catalogue): Field[] {
  return [
    { kind: 'text', name: 'name', label: 'Name', required: true, max: 100 },
    { kind: 'long', name: 'description', label: 'Description' },
    { kind: 'boolean', name: 'requireTotp', label: 'Needs two-step sign-in' },
    ...everyRight(catalogue).map(
      (name): Field => ({ kind: 'boolean', name, label: rightName(name, catalogue) }),
    ),
  ];
}

/** The form's own last saved revision, and whether it has unsaved changes. */
export interface FormStatus {
  dirty: boolean;
  revision: number;
}

interface Options {
  /** The newest version. */
  role: Role | null;
  /** The version the form started from. */
  first: Role | null;
  formStatus: RefObject<FormStatus>;
  /** The role to copy rights from. */
  model: Role | undefined;
  catalogue: Catalogue;
  onCreated(id: string): void;
}

/** The form of a role, with its rights as a set. */
export function useRoleForm({ role, first, formStatus, model, catalogue, onCreated }: Options) {
  const own = useOwnRights();
  const fields = useMemo(() => fieldsOf(catalogue), [catalogue]);
  // The rights by revision: a change is sent as a whole map based on one revision.
  const known = useRef(new Map<number, Set<string>>());
  if (first && !known.current.has(first.revision)) {
    known.current.set(first.revision, toRightSet(first.permissions));
  }

  const edit = useRecordForm<FormRole>({
    fields,
    record: first && toForm(first),
    save: async (changed, revision) => {
      try {
        const base = new Set(revision === null ? [] : known.current.get(revision));
        const plain: Record<string, unknown> = {};
        let touched = revision === null;
        for (const [name, value] of Object.entries(changed)) {
          if (!isRight(name)) plain[name] = value ?? '';
          else {
            touched = true;
            if (value) base.add(name);
            else base.delete(name);
          }
        }
        if (touched) plain.permissions = toGrants(base);
        const answer =
          first && revision !== null
            ? await rolesApi.update(first.id, revision, plain)
            : await rolesApi.create({ description: '', ...plain });
        known.current.set(answer.revision, toRightSet(answer.permissions));
        formStatus.current.revision = answer.revision;
        return toForm(answer);
      } catch (error) {
        const problem = Problem.of(error);
        const current = problem.extras.current as Role | undefined;
        if (!current) throw problem;
        known.current.set(current.revision, toRightSet(current.permissions));
        throw new Problem(
          problem.status,
          problem.code,
          problem.message,
          problem.fields,
          problem.requestId,
          { ...problem.extras, current: toForm(current) },
        );
      }
    },
    onSaved: (answer, created) => {
      peopleChanged();
      done(created ? 'Role created' : 'Role saved');
      if (created) onCreated(answer.id);
    },
  });

  useEffect(() => {
    formStatus.current.dirty = edit.dirty;
  }, [formStatus, edit.dirty]);

  const { form } = edit;
  const values = form.values as Record<string, string | boolean | null>;
  const errors = form.errors as Record<string, string | undefined>;
  const rights = new Set(
    Object.keys(values).filter((name) => isRight(name) && values[name] === true),
  );
  // The saved rights: the form's values without its changes.
  const before = new Set(rights);
  for (const [name, on] of Object.entries(edit.changed)) {
    if (!isRight(name)) continue;
    if (on) before.delete(name);
    else before.add(name);
  }
  const free = (name: string) => own.holds(name) || before.has(name);

  function setRights(wished: ReadonlySet<string>): void {
    const next = withApp(rights, wished, free);
    const changed: Record<string, boolean> = {};
    for (const { name } of fields) {
      if (isRight(name) && next.has(name) !== rights.has(name)) changed[name] = next.has(name);
    }
    form.setValues(changed);
  }

  function discard(): void {
    const back: Record<string, string | boolean> = {};
    for (const name of Object.keys(edit.changed)) {
      if (isRight(name)) back[name] = before.has(name);
    }
    const plain = role ?? { name: '', description: '', requireTotp: false };
    const { name, description, requireTotp } = plain;
    form.setValues({ ...back, name, description, requireTotp });
    form.clearErrors();
  }

  // A copy starts with those rights of its model that the user may grant.
  const [leftOut, setLeftOut] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on mount
  useEffect(() => {
    if (first || !model) return;
    const all = [...toRightSet(model.permissions)];
    const given = all.filter(own.holds);
    setLeftOut(all.length - given.length);
    form.setValues({
      name: `${model.name} (copy)`,
      description: model.description,
      requireTotp: model.requireTotp,
      ...Object.fromEntries(given.map((name) => [name, true])),
    });
  }, []);

  return {
    edit,
    fields,
    values,
    errors,
    rights,
    /** The saved rights. */
    before,
    free,
    setRights,
    discard,
    /** How many rights of the copied role the user may not grant. */
    leftOut,
  };
}

export type RoleForm = ReturnType<typeof useRoleForm>;
