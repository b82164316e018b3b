// Sales of two ranges, compared over the days that both have: the answer of the report, and what it left out in words.
import type { components } from '#/api/schema.gen';
import { count, day, plural, shortDay } from '#/ui/format';
import { storeLabel } from './storeRows';

type Schemas = components['schemas'];

/** Sales against an earlier range. */
export type Against = Schemas['Against'];
/** A store with days that are not compared. */
type LeftOut = Schemas['LeftOut'];
/** A store that is not like for like, and its first or last day. */
type UnlikeStore = Schemas['UnlikeStore'];

export type ComparedRange = Schemas['ComparedRange'];
export type ComparisonRow = Schemas['ComparisonRow'];
export type Comparison = Schemas['SalesComparison'];

/** Most stores named in a sentence. */
const NAMED = 3;

/** `26 of 28` days. */
export const compared = ({ comparedDays, leftOut }: Against) =>
  `${count(comparedDays)} of ${count(comparedDays + leftOut)}`;

/** «2 days of Cubao: no sales on 3 Nov and 4 Nov» for the stores with most days left out. */
export function leftOutWords(stores: readonly LeftOut[], year: string): string {
  const said = stores.slice(0, NAMED).map(({ name, days, missing, first }) => {
    const write = first.every((date) => date.startsWith(year)) ? shortDay : day;
    const more = missing - first.length;
    const on = [...first.map(write), ...(more > 0 ? [plural(more, 'more day')] : [])];
    return `${plural(days, 'day')} of ${name}: no sales on ${joined(on)}`;
  });
  const rest = stores.length - said.length;
  return [...said, ...(rest > 0 ? [`days of ${plural(rest, 'more store')}`] : [])].join('; ');
}

/** «12 of 14 stores; not Pasay (opened 3 Oct 2026)» */
export function alikeWords({ likeStores }: Against, unlike: readonly UnlikeStore[]): string {
  const stores = `${count(likeStores)} of ${plural(likeStores + unlike.length, 'store')}`;
  if (unlike.length === 0) return stores;
  const why = ({ why, on }: UnlikeStore) =>
    why === 'new' ? `opened ${day(on)}` : why === 'closed' ? `closed ${day(on)}` : 'no day in both';
  const named = unlike.map((store) => ({ name: `${store.name} (${why(store)})` }));
  return `${stores}; not ${storeLabel(named, NAMED)}`;
}

const joined = (words: readonly string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join('');
