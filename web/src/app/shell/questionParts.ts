// What a question gives to the address of a page: parameters, and conditions on the page.
import type { components } from '#/api/schema.gen';
import type { PageKey, Permission } from '#/paths';

type Schemas = components['schemas'];
export type Question = Schemas['AskedQuestion'];
export type State = Schemas['AskedState'];
export type By = Schemas['AskedBy'];

/** What a question may say besides its topic. */
export type Slot =
  | 'days'
  | 'stores'
  | 'areas'
  | 'items'
  | 'only'
  | 'by'
  | 'rank'
  | 'discount'
  | 'tender'
  | 'against';

export type Params = Readonly<Record<string, string | undefined>>;

/** Parameters from what a question says; without a value it does not use it. */
export interface Part {
  uses: readonly Slot[];
  of(question: Question): Params;
}

/** A condition on one thing that a question says. */
export interface Test {
  uses: Slot;
  is(question: Question): boolean;
}

/** A page that answers. */
export interface Way {
  page: PageKey;
  /** It answers only questions that meet all of these, and those better than a way without conditions. */
  when?: readonly Test[];
  /** Whether it answers questions about an item, without one, or both. */
  items?: 'only' | 'none';
  /** A right that its answer needs besides that of the page. */
  needs?: Permission;
  parts?: readonly Part[];
  /** The breakdowns that the page has anyway. */
  shows?: readonly By[];
  /** The same for every question. */
  fixed?: Params;
}

const ids = (records: readonly { id: string }[]) =>
  records.map(({ id }) => id).join(',') || undefined;

// Parameters.

/** A range by its name, or two dates. */
export const RANGE: Part = {
  uses: ['days'],
  of: ({ days }) =>
    !days ? {} : days.named ? { range: days.named } : { from: days.from, to: days.to },
};
/** For pages without named ranges. */
export const DATES: Part = {
  uses: ['days'],
  of: ({ days }) => (days ? { from: days.from, to: days.to } : {}),
};
/** A single day, by this name. */
export const day = (name: string): Part => ({
  uses: ['days'],
  of: ({ days }) => (days && days.from === days.to ? { [name]: days.from } : {}),
});
/** The month of the first day. */
export const MONTH: Part = {
  uses: ['days'],
  of: ({ days }) => ({ month: days?.from.slice(0, 7) }),
};
/** All named stores, by this name. */
export const storesAs = (name: string): Part => ({
  uses: ['stores'],
  of: ({ stores }) => ({ [name]: ids(stores) }),
});
export const STORES = storesAs('stores');
/** The store, by this name, if only one is named: the page shows one. */
export const storeAs = (name: string, write = (id: string) => id): Part => ({
  uses: ['stores'],
  of: ({ stores: [first, ...more] }) =>
    first && more.length === 0 ? { [name]: write(first.id) } : {},
});
export const AREAS: Part = { uses: ['areas'], of: ({ areas }) => ({ areas: ids(areas) }) };
export const Q: Part = { uses: ['items'], of: ({ items }) => ({ q: items?.q }) };
export const TENDER: Part = {
  uses: ['tender'],
  of: ({ tender }) => ({ kind: tender ?? undefined }),
};
export const AGAINST: Part = {
  uses: ['against'],
  of: ({ against }) => ({
    against: against === 'yearBefore' ? 'year' : (against ?? undefined),
  }),
};
/** Rows sorted by a column, the wanted end first. */
export const sorted = (column: string): Part => ({
  uses: ['rank'],
  of: ({ rank }) => ({ sort: rank ? (rank.end === 'top' ? `-${column}` : column) : undefined }),
});
/** The rows' choice of a page, for the breakdowns it has. */
export const rowsAs = (values: Partial<Record<By, string>>): Part => ({
  uses: ['by'],
  of: ({ by }) => ({ by: by ? values[by] : undefined }),
});
// Conditions.

export const only = (...states: readonly State[]): Test => ({
  uses: 'only',
  is: (asked) => states.includes(asked.only as State),
});
export const by = (...of: readonly By[]): Test => ({
  uses: 'by',
  is: (asked) => of.includes(asked.by as By),
});
export const RANKED: Test = { uses: 'rank', is: ({ rank }) => Boolean(rank) };
/** «top 10» */
export const COUNTED: Test = { uses: 'rank', is: ({ rank }) => rank?.count != null };
export const COMPARED: Test = { uses: 'against', is: ({ against }) => Boolean(against) };
export const DATED: Test = { uses: 'days', is: ({ days }) => Boolean(days) };
export const PAID: Test = { uses: 'tender', is: ({ tender }) => Boolean(tender) };
export const WITH_ITEM: Test = { uses: 'items', is: ({ items }) => Boolean(items) };
