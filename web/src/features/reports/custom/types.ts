import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
/** A complete definition. */
export interface Definition {
  dataset: string;
  range: Range;
  rows: string[];
  columns: string[];
  measures: Measure[];
  /** What changes are against. */
  compare: Compare;
  filters: Filter[];
  sort: { measure: number | null; descending: boolean } | null;
  top: { rows: number; other: boolean; by: TopBy } | null;
  chart: Chart;
}
/** A named range, two dates, or the last periods of a length, with the current one or without. */
export interface Range {
  named?: string | null;
  from?: string | null;
  to?: string | null;
  last?: number | null;
  unit?: Unit | null;
  running?: boolean;
}
export interface Measure {
  field: string;
  rule: Rule;
}
export interface Filter {
  field: string;
  op: Op;
  values: string[];
  names?: string[];
}
export type Rule = Schemas['CustomRule'];
export type Compare = Schemas['CustomCompare'];
export type TopBy = Schemas['CustomTopBy'];
export type Unit = Schemas['CustomUnit'];
export type Op = Schemas['CustomOp'];
export type Chart = Schemas['CustomChart'];
export type Dataset = Schemas['CustomDataset'];
export type Field = Schemas['CustomField'];
export type Datasets = Schemas['CustomDatasets'];
export type Answer = Schemas['CustomAnswer'];
export type Row = Schemas['CustomRow'];
export type Figure = Schemas['CustomFigure'];
export type Outcome = Schemas['CustomOutcome'];
export type Report = Schemas['CustomReport'];
export type Reports = Schemas['CustomReports'];
export type Schedule = Schemas['CustomSchedule'];
export type People = Schemas['CustomPeople'];
export type Sends = Schemas['CustomSends'];
export type Values = Schemas['CustomValues'];
export type Named = Schemas['CustomNamed'];
