/** A name on at most two lines of `letters` letters, broken between words where possible. */
export function twoLines(name: string, letters: number): string[] {
  const cut = (text: string) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
  if (name.length <= letters) return [name];
  const space = name.lastIndexOf(' ', letters);
  const at = space > 0 ? space : name.indexOf(' ');
  if (at < 0) return [cut(name)];
  const tail = name.slice(at + 1).replace(/^[–-] /, '');
  return [cut(name.slice(0, at).replace(/ [–-]$/, '')), cut(tail)];
}
