// Estimates a new password's strength while it is typed. The server decides, with a far longer
// list; this only saves round trips.

export type Level = 'none' | 'short' | 'weak' | 'fair' | 'good';

export interface Strength {
  level: Level;
  advice: string;
}

const COMMON =
  /^(?:pass(?:word|wort)?|secret|welcome|admin|letmein|iloveyou|monkey|dragon|sunshine|princess|football|master|login|philippines|pilipinas|manila|mahal(?:kita)?|jollibee|summer|winter|changeme|default|company|larder|qwerty|abc)+$/;
const RUNS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const CHUNK = 4;

/** Common substitutions, such as 0 for o, add no strength. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('3', 'e')
    .replaceAll('4', 'a')
    .replaceAll('5', 's')
    .replaceAll('@', 'a')
    .replaceAll('$', 's');
}

/** The length with repeats and keyboard sequences counted as one. */
function effective(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const before = text.slice(Math.max(0, i - 2), i + 1).toLowerCase();
    const repeats = before.length === 3 && new Set(before).size === 1;
    const backwards = [...before].reverse().join('');
    const runs =
      before.length === 3 && RUNS.some((run) => run.includes(before) || run.includes(backwards));
    if (!repeats && !runs) count += 1;
  }
  return count;
}

/** Whether it contains a part of the user's name, address or company. */
function tells(password: string, about: readonly string[]): boolean {
  const low = password.toLowerCase();
  return about
    .flatMap((text) => text.toLowerCase().split(/[^a-z0-9]+/))
    .some((word) => word.length >= CHUNK && low.includes(word) && low.length - word.length < 8);
}

export function strength(password: string, minimum = 8, about: readonly string[] = []): Strength {
  if (!password) {
    return {
      level: 'none',
      advice: `At least ${minimum} characters. Three or four words are good.`,
    };
  }
  const missing = minimum - [...password].length;
  if (missing > 0) {
    return { level: 'short', advice: `${missing} more character${missing === 1 ? '' : 's'}.` };
  }
  if (COMMON.test(plain(password.replace(/[\W\d_]+$/, '')))) {
    return { level: 'weak', advice: 'Many people use this one. Put words together instead.' };
  }
  if (tells(password, about)) {
    return { level: 'weak', advice: 'Leave out your name, address and company.' };
  }
  const length = effective(password);
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) =>
    kind.test(password),
  ).length;
  const different = new Set(password.toLowerCase()).size;
  const points = Math.min(length, different * 2) + (kinds - 1) * 1.5;
  if (points < 9.5) {
    return {
      level: 'weak',
      advice: 'Easy to guess. Add a word or two that do not belong together.',
    };
  }
  if (points < 14) return { level: 'fair', advice: 'Good enough. One more word makes it strong.' };
  return { level: 'good', advice: 'Strong.' };
}
