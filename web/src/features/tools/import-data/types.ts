import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];

export type ImportList = Schemas['ImportList'];
export type ImportField = Schemas['ImportField'];
export type Layout = Schemas['ImportLayout'];
export type FileColumn = Schemas['ImportColumn'];
export type Batch = Schemas['ImportBatch'];
export type BatchState = Schemas['ImportState'];
export type Summary = Schemas['ImportSummary'];
export type Outcome = Schemas['ImportOutcome'];
/** With what the server fills in when it is left out. */
export type Mapping = Schemas['ImportMapping'] & { missing: Schemas['ImportMissing'] };
export type Match = Schemas['ImportMatch'];
/** Values may be of any kind, which the contract has no word for. */
export type Change = { field: string; before: unknown; after: unknown };
export type RowProblem = Schemas['ImportProblem'];
export type Row = Omit<Schemas['ImportRow'], 'changes'> & { changes: Change[] };
