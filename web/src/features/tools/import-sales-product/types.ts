import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];

export type Batch = Omit<Schemas['Batch'], 'mapping'> & { mapping?: Mapping | null };
export type BatchState = Schemas['BatchState'];
export type Layout = Schemas['Layout'];
/** With the server's defaults for omitted fields. */
export type Mapping = Omit<
  Required<Schemas['Mapping']>,
  | 'columns'
  | 'sheet'
  | 'store'
  | 'products'
  | 'tenders'
  | 'once'
  | 'totals'
  | 'fillDown'
  | 'sheets'
  | 'negativeDiscounts'
  | 'answered'
> & {
  columns: Partial<Record<Field, number>>;
  sheet?: string | null;
  store: Schemas['FixedStore'] | null;
  products?: Schemas['ProductColumn'][] | null;
  tenders?: Schemas['TenderColumn'][];
  once?: Field[] | null;
  totals?: Schemas['Totals'] | null;
  fillDown?: Field[] | null;
  sheets?: string[] | null;
  negativeDiscounts?: boolean;
  answered?: string[];
};
/** A question about a file, with totals per answer. */
export type Ask = Schemas['Ask'];
export type Answer = Schemas['Answer'];
export type Figure = Schemas['Figure'];
export type DayFacts = Schemas['DayFacts'];
/** A column's possible meanings. */
export type Field = Schemas['Field'];
export type Summary = Schemas['Summary'];
export type Unknowns = Schemas['Unknowns'];
export type UnknownStore = Unknowns['stores'][number];
/** Posted items also have a net amount. */
export type UnknownItem = Unknowns['items'][number] & { net?: number };
export type Coverage = Schemas['Coverage'];
export type CoverageCell = Schemas['CoverageCell'];
export type TerminalRow = Schemas['TerminalRow'];

export type RowProblem = Schemas['RowProblem'];
export type SalesLine = Schemas['SalesLine'];
export type SalesDay = Schemas['SalesDay'];
