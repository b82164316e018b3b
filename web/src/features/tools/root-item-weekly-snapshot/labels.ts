// Texts about a week.

import { plural } from '#/ui/format';
import type { Tone } from '#/ui/StatusPill';
import type { Difference, Week } from './api';

/** A week's state: a label and a colour. */
export function stateOf({ state, over, differences }: Week): { words: string; tone: Tone } {
  if (!over) return { words: 'Running', tone: 'brand' };
  if (state === 'notMade') return { words: 'Not made', tone: 'neutral' };
  if (state === 'open') return { words: 'Open', tone: 'warn' };
  return differences > 0
    ? { words: 'Frozen, differs', tone: 'danger' }
    : { words: 'Frozen', tone: 'ok' };
}

/** What a week's differences compare. */
export function differencesSay({ state, differences }: Week): string {
  if (differences === 0) {
    return state === 'frozen'
      ? 'Nothing differs from what was frozen.'
      : 'Nothing changed when it was made last.';
  }
  const many = plural(differences, 'figure');
  return state === 'frozen'
    ? `${many} would differ now. The frozen week stays as it is.`
    : `${many} changed when it was made last.`;
}

const FIGURES: Readonly<Record<string, string>> = {
  opening: 'Opening',
  received: 'Received',
  transfersIn: 'Transfers in',
  transfersOut: 'Transfers out',
  waste: 'Waste',
  theoreticalUse: 'Theoretical use',
  closing: 'Closing',
  actualUse: 'Actual use',
  variance: 'Variance',
};

export const figureWord = (figure: string): string => FIGURES[figure] ?? figure;

/** The differences of one root item in one store. */
export interface Group {
  key: string;
  store: string;
  item: string;
  unit: string | null;
  figures: readonly Difference[];
}

/** Differences grouped by root item and store. */
export function grouped(all: readonly Difference[]): Group[] {
  const groups = new Map<string, Group & { figures: Difference[] }>();
  for (const one of all) {
    const key = `${one.storeId} ${one.rootItemId}`;
    const known = groups.get(key);
    if (known) {
      known.figures.push(one);
      continue;
    }
    groups.set(key, {
      key,
      store: one.storeName ?? one.storeId,
      item: one.rootItemName ?? one.rootItemId,
      unit: one.unit ?? null,
      figures: [one],
    });
  }
  const order = Object.keys(FIGURES);
  for (const { figures } of groups.values()) {
    figures.sort((a, b) => order.indexOf(a.figure) - order.indexOf(b.figure));
  }
  return [...groups.values()];
}
