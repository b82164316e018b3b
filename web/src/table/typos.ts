// How closely a typed word matches a word of a record: equal, its beginning, a part of it, or
// similar with one or two typing errors. The server scores the same way (search/score.rs).

/**
 * 100 for the same word, less for others; null for no match. Among several words a short one may
 * have an error too: «weekly rot item».
 */
export function closeness(typed: string, word: string, among: boolean): number | null {
  if (word.startsWith(typed)) {
    const rest = word.length - typed.length;
    return rest === 0 ? 100 : 85 - Math.min(rest, 20);
  }
  if (typed.length >= 3 && word.includes(typed)) return 50;
  const short = typed.length === 3 && among && typed[0] === word[0] && /^\p{L}+$/u.test(typed);
  const most = typed.length <= 3 ? (short ? 1 : 0) : typed.length <= 7 ? 1 : 2;
  if (most === 0) return null;
  const errors = distanceToBeginning(typed, word, most);
  return errors === null ? null : 44 - 12 * errors;
}

/**
 * The number of insertions, deletions, substitutions and transpositions that make `typed` the beginning
 * of `word`; null past `most`. Optimal string alignment with the last row's least value, so that a
 * word still being typed is found.
 */
function distanceToBeginning(typed: string, whole: string, most: number): number | null {
  if (whole.length + most < typed.length) return null;
  const word = whole.slice(0, typed.length + most);
  let before: number[] = [];
  let last = Array.from({ length: word.length + 1 }, (_, i) => i);
  const at = (row: readonly number[], i: number) => row[i] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i < typed.length; i += 1) {
    const row = [i + 1];
    for (let j = 0; j < word.length; j += 1) {
      const same = typed[i] === word[j];
      let least = Math.min(at(last, j) + (same ? 0 : 1), at(last, j + 1) + 1, at(row, j) + 1);
      if (i > 0 && j > 0 && typed[i] === word[j - 1] && typed[i - 1] === word[j]) {
        least = Math.min(least, at(before, j - 1) + 1);
      }
      row.push(least);
    }
    if (Math.min(...row) > most) return null;
    before = last;
    last = row;
  }
  const errors = Math.min(...last);
  return errors <= most ? errors : null;
}
