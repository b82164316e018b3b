// The console's only CSV writer; the server writes its own exports.

/** Text that a spreadsheet would run. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/**
 * A number keeps its minus, as in the server's exports; any other text that a spreadsheet would run
 * gets an apostrophe, which the server's imports remove.
 */
const safe = (cell: string) =>
  FORMULA.test(cell) && !/^-?\d[\d.,]*$/.test(cell) ? `'${cell}` : cell;

/** Rows of cells as text, separated by commas or tabs. */
export function csvOf(table: readonly (readonly string[])[], mark: ',' | '\t' = ','): string {
  const cell = (text: string) => {
    if (mark === '\t') return safe(text).replace(/[\t\r\n]+/g, ' ');
    return /["\n\r,;]/.test(text) ? `"${safe(text).replaceAll('"', '""')}"` : safe(text);
  };
  return table.map((row) => row.map(cell).join(mark)).join('\r\n');
}

/** Downloads a text as a file. */
export function download(name: string, text: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
