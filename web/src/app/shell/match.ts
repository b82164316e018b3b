// How well typed words match a name, scored as the server does for records (search/score.rs): whole
// words before beginnings, beginnings before parts, and those before words with one or two typing
// errors. Pages and actions are scored here with the same numbers, so that all results sort together.
import { fold } from '#/table/filter';
import { closeness } from '#/table/typos';

const NAME_WEIGHT = 10;
const REST_WEIGHT = 6;
/** Added when the whole name, or its beginning, is what was typed. */
const WHOLE_BONUS = 2000;
const BEGINNING_BONUS = 500;
const MAX_WORDS = 8;

/** The words something is found by; `whole` is its full name. */
export interface SearchWords {
  whole: string;
  words: readonly { word: string; weight: number }[];
}

export function searchWordsOf(name: string, rest = ''): SearchWords {
  const whole = normalize(name);
  const words: { word: string; weight: number }[] = [];
  const add = (weight: number) => (word: string) => {
    if (!words.some((known) => known.word === word)) words.push({ word, weight });
  };
  split(whole).forEach(add(NAME_WEIGHT));
  split(normalize(rest)).forEach(add(REST_WEIGHT));
  return { whole, words };
}

export type Matcher = (words: SearchWords) => number | null;

/** A function that scores names against what was typed; null when nothing was typed. */
export function matcherOf(typed: string): Matcher | null {
  const whole = normalize(typed);
  const wanted = split(whole).slice(0, MAX_WORDS);
  if (wanted.length === 0) return null;
  return (target) => {
    let sum = 0;
    for (const text of wanted) {
      let best: number | null = null;
      for (const { word, weight } of target.words) {
        const found = closeness(text, word, wanted.length > 1);
        if (found !== null) best = Math.max(best ?? 0, found * weight);
      }
      if (best === null) return null;
      sum += best;
    }
    const more =
      target.whole === whole ? WHOLE_BONUS : target.whole.startsWith(whole) ? BEGINNING_BONUS : 0;
    return Math.floor(sum / wanted.length) + more;
  };
}

function normalize(text: string): string {
  return fold(text).replaceAll('ø', 'o').trim().replace(/\s+/g, ' ');
}

const split = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** Splits a title into pieces, those that match what was typed marked as hits. */
export function markMatches(title: string, typed: string): { text: string; hit: boolean }[] {
  const wanted = split(normalize(typed));
  // Folded letter by letter, so that positions stay those of the title.
  const letters = [...title];
  const folded = letters.map((letter) => fold(letter) || letter);
  const text = folded.map((letter) => letter.charAt(0)).join('');
  const hits = new Array<boolean>(letters.length).fill(false);
  for (const word of wanted) {
    for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + 1)) {
      const begins = from === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(from - 1));
      if (begins || word.length >= 3) hits.fill(true, from, from + word.length);
    }
  }
  const pieces: { text: string; hit: boolean }[] = [];
  letters.forEach((letter, i) => {
    const hit = hits[i] === true;
    const last = pieces.at(-1);
    if (last && last.hit === hit) last.text += letter;
    else pieces.push({ text: letter, hit });
  });
  return pieces;
}
