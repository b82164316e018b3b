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
  | 'day'
  | 'answers'
  | 'decimals'
  | 'statuses'
  | 'words'
  | 'splitTenders'
  | 'negativeLines'
  | 'hiddenRows'
  | 'quotes'
> &
  Pick<
    Schemas['Mapping'],
    'decimals' | 'words' | 'splitTenders' | 'negativeLines' | 'hiddenRows' | 'quotes'
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
    /** The day of all rows, `YYYY-MM-DD`, of a file without a date column. */
    day?: string | null;
    /** The id of the choice by the id of the question. */
    answers?: Answers;
    statuses?: number[];
  };
export type Answers = Readonly<Record<string, string>>;
/** A question about a file, with totals per choice. */
export type Ask = Schemas['Ask'];
export type Choice = Ask['choices'][number];
/** What is left out for one reason. */
export type LeftOutSum = NonNullable<Summary['leftOut']>[number];
export interface LeftOutRow {
  row: number;
  reason: string;
  text: string;
  qty: number;
  net: number;
}
/** What happens to store-days that are already there. */
export type OnExisting = 'add' | 'replaceReceipts' | 'replaceTills' | 'replaceDays';
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
export type UnknownItem = Unknowns['items'][number] & { net?: number };
export type Coverage = Schemas['Coverage'];
export type CoverageCell = Schemas['CoverageCell'];
export type TerminalRow = Schemas['TerminalRow'];

export type RowProblem = Schemas['RowProblem'];
export type SalesLine = Schemas['SalesLine'];
export type SalesDay = Schemas['SalesDay'];
