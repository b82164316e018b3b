/** A name of at most so many letters. */
export const clip = (text: string, letters: number) =>
  text.length > letters ? `${text.slice(0, letters - 1)}…` : text;

/** What stands at a point of the axis: its label and the line below it, or the label on two lines. */
export const tickLines = (
  { label, sub }: { label: string; sub?: string },
  letters: number,
): string[] => (sub ? [clip(label, letters), clip(sub, letters)] : twoLines(label, letters));

/** Letters of a slanted name, which is written where two short lines would not tell what it is. */
export const SLANTED = 13;

/** The same, slanted: a label stays on one line. */
export const slantedLines = ({ label, sub }: { label: string; sub?: string }): string[] =>
  [label, sub].flatMap((line) => (line ? clip(line, SLANTED) : []));

/** A name on at most two lines of `letters` letters, broken between words where possible. */
export function twoLines(name: string, letters: number): string[] {
  const cut = (text: string) => clip(text, letters);
  if (name.length <= letters) return [name];
  const space = name.lastIndexOf(' ', letters);
  const at = space > 0 ? space : name.indexOf(' ');
  if (at < 0) return [cut(name)];
  const tail = name.slice(at + 1).replace(/^[–-] /, '');
  return [cut(name.slice(0, at).replace(/ [–-]$/, '')), cut(tail)];
}
