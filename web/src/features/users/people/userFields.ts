// A user in the form's shape: stores as one text, and which fields may be set.
import { Problem } from '#/api/problem';
import type { Field } from '#/form/types';
import type { User } from '../api';
import { encodeStores, storesLabel } from '../stores';

export interface FormUser {
  id: string;
  revision: number;
  name: string;
  email: string;
  roleId: string | null;
  stores: string;
  superAdmin: boolean;
  billable: boolean;
}

export function toForm(user: User): FormUser {
  const { id, revision, name, email, roleId, superAdmin, billable } = user;
  return {
    id,
    revision,
    name,
    email,
    roleId: roleId || null,
    stores: encodeStores(user.storeIds),
    superAdmin,
    billable,
  };
}

/** A «stale» problem with its current record converted to the form's shape. */
export function inForm(error: unknown): Problem {
  const problem = Problem.of(error);
  const current = problem.extras.current as User | undefined;
  const fields = problem.fields.map((one) =>
    one.field === 'storeIds' ? { ...one, field: 'stores' } : one,
  );
  const extras = current ? { ...problem.extras, current: toForm(current) } : problem.extras;
  return new Problem(
    problem.status,
    problem.code,
    problem.message,
    fields,
    problem.requestId,
    extras,
  );
}

interface Known {
  roles: readonly { id: string; name: string }[];
  storeName(id: string): string | undefined;
  /** Every encoded value of `stores` that may occur, so that a conflict can name both sides. */
  stores: readonly string[];
  decode(text: string): string[] | null;
}

export function userFields({ roles, storeName, stores, decode }: Known): Field[] {
  return [
    { kind: 'text', name: 'name', label: 'Name', required: true, max: 200 },
    { kind: 'text', name: 'email', label: 'Email', required: true, max: 254 },
    {
      kind: 'enum',
      name: 'roleId',
      label: 'Role',
      options: roles.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      kind: 'enum',
      name: 'stores',
      label: 'Stores',
      options: [...new Set(stores)].map((value) => {
        const { text, title } = storesLabel(decode(value), storeName);
        return { value, label: title ? title.split('\n').join(', ') : text };
      }),
    },
    { kind: 'boolean', name: 'superAdmin', label: 'Super admin' },
    { kind: 'boolean', name: 'billable', label: 'Billable' },
  ];
}

export const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
