// The records and pages this user last opened from the search, on this device.
const MOST = 8;

export interface Recent {
  /** A kind of record, or `page`. */
  kind: string;
  /** The record's id, or the page's address. */
  id: string;
  title: string;
  note: string;
}

const keyOf = (uid: string) => `larder:recent:${uid}`;

export function recentlyOpened(uid: string): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(uid)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Puts it at the front of the list. */
export function rememberOpened(uid: string, { kind, id, title, note }: Recent): void {
  const others = recentlyOpened(uid).filter((one) => one.kind !== kind || one.id !== id);
  try {
    const next = [{ kind, id, title, note }, ...others].slice(0, MOST);
    localStorage.setItem(keyOf(uid), JSON.stringify(next));
  } catch {
    // Storage is full or switched off: not remembered.
  }
}

function isRecent(one: unknown): one is Recent {
  if (one === null || typeof one !== 'object') return false;
  return ['kind', 'id', 'title', 'note'].every(
    (name) => typeof (one as Record<string, unknown>)[name] === 'string',
  );
}
