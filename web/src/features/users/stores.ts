// Encodes a user's stores as one text, so that a form can compare and merge them.

export const ALL = 'all';
export const NONE = 'none';

/** Null is every store; an empty list none. */
export function encodeStores(ids: readonly string[] | null | undefined): string {
  if (ids === null || ids === undefined) return ALL;
  return ids.length === 0 ? NONE : [...ids].sort().join(',');
}

export function decodeStores(text: string | null | undefined): string[] | null {
  if (!text || text === ALL) return null;
  return text === NONE ? [] : text.split(',');
}

/** «All stores», «No store», the name of one, or how many. */
export function storesLabel(
  ids: readonly string[] | null,
  nameOf: (id: string) => string | undefined,
): { text: string; title?: string } {
  if (ids === null) return { text: 'All stores' };
  if (ids.length === 0) return { text: 'No store' };
  const names = ids.map((id) => nameOf(id) ?? id).sort((a, b) => a.localeCompare(b));
  if (ids.length === 1) return { text: names[0] ?? '' };
  return { text: `${ids.length} stores`, title: names.join('\n') };
}

/**
 * The stores in a form after another role was chosen, encoded. A role of a store starts with no store chosen: all
 * stores would be too many. `usual` is what they are for other roles, if nothing was chosen yet.
 */
export function storesForRole(stores: string, needed: boolean, usual: string | null): string {
  if (needed) return stores === ALL ? NONE : stores;
  return stores === NONE && usual !== null ? usual : stores;
}
