// The target position of a row of a tree that is dragged or moved by key.
import { siblings, type Tree } from './tree';

/** Below which row, and before which of its children (null: last). */
export interface TreePlace {
  under: string | null;
  before: string | null;
}

export type Zone = 'before' | 'into' | 'after';
export type Step = 'up' | 'down' | 'in' | 'out';

/** A tree whose rows can be moved. */
export interface Movable<T> extends Tree<T> {
  /** Siblings have an order of their own; else they are sorted by name, and only the parent can change. */
  ordered: boolean;
  fits(row: T, under: T | null): boolean;
}

/** The position one step up or down among siblings, into the sibling before, or out to the parent's level. */
export function stepTo<T>(
  rows: readonly T[],
  tree: Movable<T>,
  id: string,
  step: Step,
): TreePlace | null {
  const all = order(rows, tree);
  const at = all.place.get(id);
  if (!at) return null;
  const { list, index, under } = at;
  const key = (row: T | undefined) => (row === undefined ? null : tree.id(row));
  const place = (() => {
    switch (step) {
      case 'up':
        return tree.ordered && index > 0 ? { under, before: key(list[index - 1]) } : null;
      case 'down':
        return tree.ordered && index < list.length - 1
          ? { under, before: key(list[index + 2]) }
          : null;
      case 'in':
        return index > 0 ? { under: key(list[index - 1]), before: null } : null;
      case 'out': {
        const parent = under === null ? undefined : all.place.get(under);
        return parent ? { under: parent.under, before: key(parent.list[parent.index + 1]) } : null;
      }
    }
  })();
  return place && allowed(all, tree, id, place) ? place : null;
}

/** The position of a row dropped over another: before, after or into it. */
export function dropTo<T>(
  rows: readonly T[],
  tree: Movable<T>,
  id: string,
  over: string,
  zone: Zone,
  open: boolean,
): TreePlace | null {
  if (id === over) return null;
  const all = order(rows, tree);
  const target = all.place.get(over);
  if (!target) return null;
  const children = all.below.get(over) ?? [];
  const first = children[0];
  const next = target.list[target.index + 1];
  const place =
    zone === 'into'
      ? { under: over, before: null }
      : zone === 'before'
        ? { under: target.under, before: over }
        : open && first !== undefined
          ? // The line below an open row runs above its first child.
            { under: over, before: tree.id(first) }
          : { under: target.under, before: next === undefined ? null : tree.id(next) };
  if (place.before === id) {
    // Before itself means no change.
    const own = all.place.get(id);
    const after = own?.list[own.index + 1];
    place.before = after === undefined ? null : tree.id(after);
  }
  if (!allowed(all, tree, id, place)) return null;
  return changes(all, tree, id, place) ? place : null;
}

/** The zone a pointer is in, from how far down the row it is (0 to 1). */
export function zoneAt(share: number, ordered: boolean): Zone {
  if (!ordered) return 'into';
  if (share < 0.28) return 'before';
  return share > 0.72 ? 'after' : 'into';
}

interface At<T> {
  list: readonly T[];
  index: number;
  under: string | null;
}

interface Order<T> {
  below: ReadonlyMap<string | null, readonly T[]>;
  place: ReadonlyMap<string, At<T>>;
  row: ReadonlyMap<string, T>;
}

function order<T>(rows: readonly T[], tree: Tree<T>): Order<T> {
  const below = siblings(rows, tree);
  const place = new Map<string, At<T>>();
  for (const [under, list] of below) {
    list.forEach((row, index) => {
      place.set(tree.id(row), { list, index, under });
    });
  }
  return { below, place, row: new Map(rows.map((row) => [tree.id(row), row])) };
}

/** A row cannot go below itself, and only where `fits` allows it. */
function allowed<T>(all: Order<T>, tree: Movable<T>, id: string, place: TreePlace): boolean {
  for (let at = place.under; at !== null; at = all.place.get(at)?.under ?? null) {
    if (at === id) return false;
  }
  const row = all.row.get(id);
  const under = place.under === null ? null : (all.row.get(place.under) ?? null);
  return row !== undefined && tree.fits(row, under);
}

function changes<T>(all: Order<T>, tree: Movable<T>, id: string, place: TreePlace): boolean {
  const own = all.place.get(id);
  if (!own || own.under !== place.under) return true;
  if (!tree.ordered) return false;
  const after = own.list[own.index + 1];
  return place.before !== (after === undefined ? null : tree.id(after));
}
