import type { ReactNode } from 'react';
import type { Connector, Found, Settings } from './api';
import type { Fault } from './faults';

/** A secret that a connector needs, such as a password or a key. */
export interface AskedSecret {
  name: string;
  label: string;
  /** A whole file instead of a line. */
  long?: boolean;
  /** Whether it can be made here, for the sender to use. */
  make?: boolean;
}

/** What a value of an answer can be besides a field. */
export interface Role {
  value: string;
  label: string;
}

/** What one kind of connector asks for, and how its settings read an answer. */
export interface Kind<S extends Settings> {
  base: string;
  /** «API connector». */
  one: string;
  blank: S;
  /** The secret its settings ask for, and what it is called. */
  secretOf(settings: S): AskedSecret | null;
  /** Whether the day asked for is known without a field. */
  dated(settings: S): boolean;
  /** Whether it runs by itself, or is pushed. */
  runs: boolean;
  fields(props: {
    settings: S;
    onChange(settings: S): void;
    errorOf(field: string): string | null;
    incoming?: string;
  }): ReactNode;
  /** What its own fields lack. */
  faults(settings: S): Fault[];
  /** What else a value of an answer can be with these settings, and what that changes. */
  roles(settings: S): readonly Role[];
  use(settings: S, path: string, role: string): S;
  roleOf(settings: S, path: string): string | null;
  /** What stands beside a saved one: how to push to it. */
  beside?(connector: Connector): ReactNode;
}

/** The settings with the columns read as the server suggests, for the user to check. */
export function withSuggested<S extends Settings>(kind: Kind<S>, settings: S, found: Found): S {
  const fields: Record<string, string> = {};
  for (const { column, suggested } of found.columns) if (suggested) fields[suggested] ??= column;
  if (kind.dated(settings)) delete fields.date;
  return { ...settings, reading: { ...settings.reading, fields } };
}

/** The settings with the value at a path of the answer read as a field or a role; as nothing if `as` is empty. */
export function withUse<S extends Settings>(
  kind: Kind<S>,
  settings: S,
  path: string,
  as: string,
): S {
  const fields = Object.fromEntries(
    Object.entries(settings.reading.fields).filter(
      ([field, used]) => used !== path && field !== as,
    ),
  );
  const role = kind.roles(settings).some(({ value }) => value === as);
  if (as && !role) fields[as] = path;
  const next = { ...settings, reading: { ...settings.reading, fields } };
  return kind.use(next, path, role ? as : '');
}

/** The field or role that the value at a path is read as. */
export function usedAs<S extends Settings>(
  kind: Kind<S>,
  settings: S,
  path: string,
): string | null {
  return (
    Object.entries(settings.reading.fields).find(([, used]) => used === path)?.[0] ??
    kind.roleOf(settings, path)
  );
}
