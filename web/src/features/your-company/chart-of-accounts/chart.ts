// The chart for display: sections and types above the accounts, balances summed up.
import type { components } from '#/api/schema.gen';
import { SECTIONS, TYPES, typeOf } from './types';

type Account = components['schemas']['Account'];

/** An account, or a heading; `rolled` is its balance including everything below. */
export type Row = Account & {
  heading?: 'section' | 'type';
  rolled?: number;
  /** Its parent account is not shown. */
  lost?: boolean;
};

const sectionId = (classification: string) => `section ${classification}`;
const typeId = (type: string) => `type ${type}`;

/** Centavos, so that a long chart sums up exactly. */
const centavos = (pesos: number | null | undefined) => Math.round((pesos ?? 0) * 100);

/** Each account's balance including everything below, in centavos. */
export function rolledUp(accounts: readonly Account[]): Map<string, number> {
  const known = new Map(accounts.map((account) => [account.id, account]));
  const sums = new Map<string, number>();
  for (const { id, balance } of accounts) {
    const own = centavos(balance);
    const seen = new Set<string>();
    for (let at: string | null | undefined = id; at && !seen.has(at); ) {
      const account = known.get(at);
      // Stops at an account that is not shown.
      if (!account) break;
      seen.add(at);
      sums.set(at, (sums.get(at) ?? 0) + own);
      at = account.parentId;
    }
  }
  return sums;
}

function heading(
  kind: 'section' | 'type',
  id: string,
  name: string,
  type: string,
  sum: number,
): Row {
  return {
    id,
    name,
    type: type as Row['type'],
    currency: 'PHP',
    active: true,
    createdAt: '',
    updatedAt: '',
    revision: 0,
    heading: kind,
    rolled: sum / 100,
  };
}

/** Headings for the sections and types that have accounts, and the accounts with their sums. */
export function chartOf(accounts: readonly Account[]): Row[] {
  const sums = rolledUp(accounts);
  const known = new Set(accounts.map(({ id }) => id));
  const rows: Row[] = accounts.map((account) => ({
    ...account,
    rolled: (sums.get(account.id) ?? 0) / 100,
    lost: Boolean(account.parentId) && !known.has(account.parentId ?? ''),
  }));
  for (const { classification, label } of SECTIONS) {
    let section = 0;
    let any = false;
    for (const type of TYPES) {
      if (type.classification !== classification) continue;
      const own = accounts.filter((account) => account.type === type.name);
      if (own.length === 0) continue;
      any = true;
      const sum = own.reduce((total, { balance }) => total + centavos(balance), 0);
      section += sum;
      rows.push(heading('type', typeId(type.name), type.name, type.name, sum));
    }
    if (any) rows.push(heading('section', sectionId(classification), label, '', section));
  }
  return rows;
}

/** A row's parent: an account, else its type, else its section. */
export function belowOf(row: Row): string | null {
  if (row.heading === 'section') return null;
  if (row.parentId && !row.lost) return row.parentId;
  const type = typeOf(row.type);
  if (!type) return null;
  return row.heading === 'type' ? sectionId(type.classification) : typeId(type.name);
}

/** Sections and types are in their own order; accounts are sorted by number and name. */
export function positionOf(row: Row): number {
  if (row.heading === 'section') return SECTIONS.findIndex(({ label }) => label === row.name);
  return row.heading === 'type' ? TYPES.findIndex(({ name }) => name === row.name) : 0;
}

/** Only balances of one kind add up. */
export function unmergeable(account: Row, other: Row): string | null {
  const typeText = ({ type, detailType }: Row) =>
    detailType ? `${type}, ${detailType}` : `${type} without a detail type`;
  const only = 'Only accounts of the same type, detail type and currency can be merged.';
  if (typeText(account) !== typeText(other)) {
    return `“${account.name}” is ${typeText(account)}; “${other.name}” is ${typeText(other)}. ${only}`;
  }
  if (account.currency !== other.currency) {
    return `“${account.name}” is in ${account.currency}; “${other.name}” is in ${other.currency}. ${only}`;
  }
  return null;
}

/** Accounts keep their type, so they go below accounts of the same type, or to its top. */
export function fits(account: Row, under: Row | null): boolean {
  if (under === null || under.heading === 'section') return false;
  return under.type === account.type;
}
