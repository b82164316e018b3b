// How well a few typed words fit a name, as the server reckons it for records (search/score.rs): whole
// words before beginnings, beginnings before parts, and those before words with one or two typing
// errors. Pages and actions are scored here with the same numbers, so that all fall into one order.
import { fold } from '#/table/filter';
import { closeness } from '#/table/forgive';

const NAME = 10;
const REST = 6;
/** The whole name as typed, or its beginning, comes first. */
const WHOLE = 2000;
const BEGINNING = 500;
const MOST_WORDS = 8;

/** What something is found by. */
export interface Words {
  whole: string;
  words: readonly { word: string; weight: number }[];
}

export function wordsOf(name: string, rest = ''): Words {
  const whole = plain(name);
  const words: { word: string; weight: number }[] = [];
  const add = (weight: number) => (word: string) => {
    if (!words.some((known) => known.word === word)) words.push({ word, weight });
  };
  split(whole).forEach(add(NAME));
  split(plain(rest)).forEach(add(REST));
  return { whole, words };
}

export type Needle = (words: Words) => number | null;

/** Reads what was typed; null when there is nothing to look for. */
export function needle(typed: string): Needle | null {
  const whole = plain(typed);
  const wanted = split(whole).slice(0, MOST_WORDS);
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
    const more = target.whole === whole ? WHOLE : target.whole.startsWith(whole) ? BEGINNING : 0;
    return Math.floor(sum / wanted.length) + more;
  };
}

function plain(text: string): string {
  return fold(text).replaceAll('ø', 'o').trim().replace(/\s+/g, ' ');
}

const split = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** A title in pieces, those that were typed marked. */
export function marked(title: string, typed: string): { text: string; hit: boolean }[] {
  const wanted = split(plain(typed));
  // Letter by letter, so that what is folded away leaves the places as they are.
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
