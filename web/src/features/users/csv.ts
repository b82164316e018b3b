// Enough CSV to show an import file with the server's messages on its rows.

/** Rows of cells; quotes, doubled quotes and line ends inside them are understood. */
export function parseCsv(text: string): string[][] {
  const clean = text.replace(/^\uFEFF/, '');
  const mark = delimiter(clean);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.some((one) => one.trim() !== '')) rows.push(row);
    row = [];
    cell = '';
  };
  for (let i = 0; i < clean.length; i += 1) {
    const letter = clean[i];
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (clean[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else quoted = false;
    } else if (letter === '"' && cell === '') quoted = true;
    else if (letter === mark) {
      row.push(cell);
      cell = '';
    } else if (letter === '\n') endRow();
    else if (letter !== '\r') cell += letter;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/** The most frequent of the known delimiters in the first line. */
export function delimiter(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((mark) => [mark, line.split(mark).length] as const);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

const quote = (cell: string) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Quotes cells that a spreadsheet would run as formulas. */
const safe = (cell: string) => (/^[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell);

export function writeCsv(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map((cell) => quote(safe(cell))).join(',')).join('\r\n')}\r\n`;
}

/** Downloads a text as a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
