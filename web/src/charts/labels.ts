/** A name of at most so many letters. */
export const clip = (text: string, letters: number) =>
  text.length > letters ? `${text.slice(0, letters - 1)}…` : text;

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
