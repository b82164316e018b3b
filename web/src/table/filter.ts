import type { CellValue, Column } from './types';
import { closeness } from './typos';

/** Lower case without accents, so that «nino» finds «Niño». */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Rows that contain every typed word; if there are none, rows with similar words. */
export function matching<T>(rows: readonly T[], columns: readonly Column<T>[], q: string): T[] {
  const words = fold(q).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows as T[];
  const textOf = (row: T) => fold(columns.map((column) => column.value(row) ?? '').join(' '));
  const found = rows.filter((row) => {
    const text = textOf(row);
    return words.every((word) => text.includes(word));
  });
  if (found.length > 0) return found;
  return rows.filter((row) => {
    const known = textOf(row).split(/[^\p{L}\p{N}]+/u);
    return words.every((word) =>
      known.some((other) => closeness(word, other, words.length > 1) !== null),
    );
  });
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Numbers by size, text in natural order, yes before no. */
export function compare(a: CellValue, b: CellValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(b) - Number(a);
  return collator.compare(String(a), String(b));
}
