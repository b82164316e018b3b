import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];

/** A file that posted store-days first: they stay its own when another one has the same content. */
export interface PostedBy {
  batchId: string;
  fileName: string;
  storeDays: number;
  firstDay: string;
  lastDay: string;
}

export type Batch = Omit<Schemas['Batch'], 'mapping'> & {
  mapping?: Mapping | null;
  postedBy?: PostedBy[];
};
export type BatchState = Schemas['BatchState'];
export type Layout = Schemas['Layout'];
/** With the server's defaults for the fields that the screen always shows. */
export type Mapping = Omit<
  Schemas['Mapping'],
  'columns' | 'decimal' | 'priceMeans' | 'eachRowIsOne' | 'store' | 'source'
> &
  Required<Pick<Schemas['Mapping'], 'decimal' | 'priceMeans' | 'eachRowIsOne' | 'source'>> & {
    columns: Partial<Record<Field, number>>;
    store: Schemas['FixedStore'] | null;
  };
/** The id of the choice by the id of the question. */
export type Answers = Readonly<Record<string, string>>;
/** A question about a file, with totals per choice. */
export type Ask = Schemas['Ask'];
export type Choice = Ask['choices'][number];
/** What is left out for one reason. */
export type LeftOutSum = NonNullable<Summary['leftOut']>[number];
export type LeftOutRow = Schemas['LeftOutRow'];
/** What happens to store-days that are already there. */
export type OnExisting = Schemas['OnExisting'];
/** A store-day of the file that is already there, from the refusal `alreadyImported`. */
export interface ExistingDay {
  storeId: string;
  storeName: string;
  day: string;
  there: ReceiptSums & { files: string[]; tills: string[] };
  comes: ReceiptSums & { tills: string[] };
  overlap: ReceiptSums;
  /** The store-day afterwards, for each choice. */
  choices: { id: OnExisting; qty: number; net: number }[];
}
export interface ReceiptSums {
  receipts: number;
  qty: number;
  net: number;
}
export type Figure = Schemas['Figure'];
export type DayFacts = Schemas['DayFacts'];
/** A column's possible meanings. */
export type Field = Schemas['Field'];
export type Summary = Schemas['Summary'];
export type Unknowns = Schemas['Unknowns'];
export type UnknownStore = Unknowns['stores'][number];
/** Posted items also have a net amount. */
export type UnknownItem = Unknowns['items'][number] & Partial<Pick<Schemas['UnmappedItem'], 'net'>>;
export type Coverage = Schemas['Coverage'];
export type CoverageCell = Schemas['CoverageCell'];
export type TerminalRow = Schemas['TerminalRow'];

export type RowProblem = Schemas['RowProblem'];
export type SalesLine = Schemas['SalesLine'];
export type SalesDay = Schemas['SalesDay'];
