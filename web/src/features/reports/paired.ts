// Sales of two ranges, compared over the days that both have: the answer of the report, and what it left out in words.
import type { components } from '#/api/schema.gen';
import type { WithGaps } from '#/reports/frame/Notices';
import { count, day, plural, shortDay } from '#/ui/format';
import { storeLabel } from './storeRows';

type Schemas = components['schemas'];

/** Sales against an earlier range. */
export type Against = Schemas['Against'] & {
  /** Net sales on the days compared, and on their counterparts. */
  comparedNet: number;
  comparedBefore: number;
  /** Store-days compared, and those left out. */
  comparedDays: number;
  leftOut: number;
};

/** A store with days that are not compared. */
export interface LeftOut {
  id: string;
  name: string;
  /** Pairs of days left out. */
  days: number;
  /** Days without sales in the two ranges, and the first three of them. */
  missing: number;
  first: readonly string[];
}

/** A store that is not like for like, and its first or last day. */
export interface UnlikeStore {
  id: string;
  name: string;
  why: 'new' | 'closed' | 'noSales';
  on?: string | null;
}

export type ComparedRange = Schemas['ComparedRange'] & {
  leftOut: readonly LeftOut[];
  unlike: readonly UnlikeStore[];
};

export type ComparisonRow = Schemas['ComparisonRow'] & { previous: Against; year: Against };

export type Comparison = Omit<Schemas['SalesComparison'], 'items'> &
  WithGaps & {
    previous: ComparedRange;
    year: ComparedRange;
    items: ComparisonRow[];
    total: ComparisonRow;
  };

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
