import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
/** A complete definition. */
export interface Definition {
  dataset: string;
  /** A named range, or two dates. */
  range: { named?: string | null; from?: string | null; to?: string | null };
  rows: string[];
  columns: string[];
  measures: Measure[];
  filters: Filter[];
  sort: { measure: number | null; descending: boolean } | null;
  top: { rows: number; other: boolean } | null;
  chart: Chart;
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
