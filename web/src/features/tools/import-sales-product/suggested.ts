// Suggestions of items for unknown names.

/**
 * Whether a similar name may be chosen before a user has looked: all words of the shorter name are in the longer one, one
 * wrong letter aside. «Latte (Small)» is similar to «Latte Large», and another item.
 */
export function isSure(name: string, suggested: string): boolean {
  const [few, many] = [wordsOf(name), wordsOf(suggested)].sort((a, b) => a.length - b.length);
  if (!few?.length || !many) return false;
  return few.every((word) => many.some((other) => isSpelled(word, other)));
}

const wordsOf = (name: string) =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** The same word, or a long one with one letter wrong, missing or too many. Figures are compared as they are. */
function isSpelled(word: string, other: string): boolean {
  if (word === other) return true;
  const [short, long] = word.length <= other.length ? [word, other] : [other, word];
  if (short.length < LONG || long.length - short.length > 1 || /\d/.test(word + other))
    return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const rest = short.length === long.length ? short.slice(at + 1) : short.slice(at);
  return rest === long.slice(at + 1);
}

/** A word of fewer letters with one wrong is another word: «mami», «mani». */
const LONG = 5;
