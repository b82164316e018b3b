// Combines an import file with the server's result for each row.

import { csvOf } from '#/ui/csv';
import type { ImportResult, ImportRow } from '../api';
import { parseCsv } from '../csv';

export interface ImportLine extends ImportRow {
  cells: string[];
  /** Messages by column name in lower case. */
  wrong: Record<string, string>;
}

export interface ImportView {
  columns: string[];
  lines: ImportLine[];
  /** A CSV of the failed rows with their reasons, to correct and import again. */
  failedCsv: string;
}

export function importView(text: string, result: ImportResult): ImportView {
  const [columns = [], ...rows] = parseCsv(text);
  // The server may number rows by line or by index, but keeps their order.
  const lines = result.rows.map((row, i) => ({
    ...row,
    cells: rows[i] ?? [row.email],
    wrong: Object.fromEntries(row.fields.map(({ field, message }) => [key(field), message])),
  }));
  const failed = lines.filter(({ outcome }) => outcome === 'failed');
  const failedCsv = csvOf([
    [...columns, 'problem'],
    ...failed.map((line) => [...columns.map((_, i) => line.cells[i] ?? ''), reason(line)]),
  ]);
  return { columns: columns.map((name) => name.trim()), lines, failedCsv };
}

export const key = (column: string) => column.trim().toLowerCase();

function reason({ fields, message }: ImportRow): string {
  const messages = fields.map((one) => `${one.field}: ${one.message}`);
  return messages.length > 0 ? messages.join(' ') : (message ?? '');
}
