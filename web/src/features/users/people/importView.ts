// The file as it was read beside what the server would do with each of its rows.
import type { ImportResult, ImportRow } from '../api';
import { parseCsv, writeCsv } from '../csv';

export interface ImportLine extends ImportRow {
  cells: string[];
  /** By column, in lower case. */
  wrong: Record<string, string>;
}

export interface ImportView {
  columns: string[];
  lines: ImportLine[];
  /** The failed rows with a reason each, to be corrected and imported again. */
  failedCsv: string;
}

export function importView(text: string, result: ImportResult): ImportView {
  const [columns = [], ...rows] = parseCsv(text);
  // The server names rows in its own way (by line or by place), but always in order.
  const lines = result.rows.map((row, i) => ({
    ...row,
    cells: rows[i] ?? [row.email],
    wrong: Object.fromEntries(row.fields.map(({ field, message }) => [key(field), message])),
  }));
  const failed = lines.filter(({ outcome }) => outcome === 'failed');
  const failedCsv = writeCsv([
    [...columns, 'problem'],
    ...failed.map((line) => [...columns.map((_, i) => line.cells[i] ?? ''), reason(line)]),
  ]);
  return { columns: columns.map((name) => name.trim()), lines, failedCsv };
}

export const key = (column: string) => column.trim().toLowerCase();

function reason({ fields, message }: ImportRow): string {
  const said = fields.map((one) => `${one.field}: ${one.message}`);
  return said.length > 0 ? said.join(' ') : (message ?? '');
}
