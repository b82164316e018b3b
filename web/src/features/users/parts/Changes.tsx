import { BeforeAfter, ChangeList, ChangeRow } from '#/history/ChangeList';
import { MISSING } from '#/ui/format';
import type { Activity } from '../api';
import { useCatalogue, useRoles, useStoreName } from '../queries';
import { difference, type Grants, rightName, toRightSet } from '../rights';
import classes from './Changes.module.css';

const LABELS: Record<string, string> = {
  name: 'Name',
  email: 'Email',
  roleId: 'Role',
  roleName: 'Role',
  status: 'Status',
  billable: 'Billable',
  superAdmin: 'Super admin',
  storeIds: 'Stores',
  description: 'Description',
  permissions: 'Rights',
  requireTotp: 'Two-step sign-in needed',
  state: 'State',
  note: 'Note',
  userId: 'User',
  mobile: 'Mobile',
  position: 'Position',
  store: 'Store',
  reason: 'Reason',
};

const STATES: Record<string, string> = {
  pending: 'Waiting',
  approved: 'Approved',
  rejected: 'Rejected',
};

const HIDDEN = new Set([
  'uid',
  'revision',
  'updatedAt',
  'updatedBy',
  'createdAt',
  'emailKey',
  'id',
]);

interface Props {
  changes: NonNullable<Activity['changes']>;
  action?: string;
}

/** The changes of a user or role, field by field: before → after. */
export function Changes({ changes, action }: Props) {
  const { data: roles } = useRoles();
  const { data: catalogue } = useCatalogue();
  const storeName = useStoreName();
  // A role is named as it was at that time; empty fields of new records are left out.
  const named = changes.some(({ field }) => field === 'roleName');
  const rows = changes.filter(
    ({ field, after }) =>
      !HIDDEN.has(field) &&
      !(field === 'roleId' && named) &&
      !(action === 'created' && (blank(after) || after === false)),
  );
  if (rows.length === 0) return null;

  function text(name: string, value: unknown): string {
    if (name === 'storeIds') {
      if (value === null || value === undefined) return 'All stores';
      const ids = value as string[];
      return ids.length === 0 ? 'No store' : ids.map((id) => storeName(id) ?? id).join(', ');
    }
    if (blank(value)) return name.startsWith('role') ? 'No role' : MISSING;
    if (name === 'roleId') return roles?.find(({ id }) => id === value)?.name ?? String(value);
    if (name === 'state') return STATES[String(value)] ?? String(value);
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    if (typeof value === 'object') return JSON.stringify(value);
    return String(value);
  }

  return (
    <ChangeList className={classes.changes}>
      {rows.map(({ field: name, before, after }) => (
        <ChangeRow key={name} label={LABELS[name] ?? name}>
          {name === 'permissions' ? (
            <RightsChange
              {...difference(toRightSet(before as Grants), toRightSet(after as Grants))}
              nameOf={(right) => rightName(right, catalogue)}
            />
          ) : (
            <BeforeAfter action={action} before={text(name, before)} after={text(name, after)} />
          )}
        </ChangeRow>
      ))}
    </ChangeList>
  );
}

interface RightsProps {
  added: readonly string[];
  removed: readonly string[];
  nameOf(right: string): string;
}

/** Added and removed rights. */
export function RightsChange({ added, removed, nameOf }: RightsProps) {
  return (
    <ul className={classes.rights}>
      {added.map((right) => (
        <li key={right} data-added>
          <span aria-hidden>+</span>
          <span className="sr-only">Added: </span> {nameOf(right)}
        </li>
      ))}
      {removed.map((right) => (
        <li key={right}>
          <span aria-hidden>−</span>
          <span className="sr-only">Removed: </span> {nameOf(right)}
        </li>
      ))}
    </ul>
  );
}

const blank = (value: unknown) => value === null || value === undefined || value === '';
