/** What a spreadsheet would run. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/** A number keeps its minus; any other text that a spreadsheet would run gets an apostrophe. */
const safe = (cell: string) =>
  FORMULA.test(cell) && !/^-?[\d.,]+$/.test(cell) ? `'${cell}` : cell;

/** Rows of cells as text, parted by commas or tabs. */
export function csvOf(table: readonly (readonly string[])[], mark: ',' | '\t'): string {
  const cell = (text: string) => {
    if (mark === '\t') return safe(text).replace(/[\t\r\n]+/g, ' ');
    return /["\n\r,]/.test(text) ? `"${safe(text).replaceAll('"', '""')}"` : safe(text);
  };
  return table.map((row) => row.map(cell).join(mark)).join('\r\n');
}
