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
/** With the server's defaults for omitted fields. */
export type Mapping = Schemas['ImportMapping'] & { missing: Schemas['ImportMissing'] };
export type Match = Schemas['ImportMatch'];
/** Values may have any type, which the contract cannot express. */
export type Change = { field: string; before: unknown; after: unknown };
export type RowProblem = Schemas['ImportProblem'];
export type Row = Omit<Schemas['ImportRow'], 'changes'> & { changes: Change[] };
