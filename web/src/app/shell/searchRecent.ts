// What was opened from the search lately, on this device and by this user.
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

export function recent(uid: string): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(uid)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** The newest first; what is opened again moves to the front. */
export function remember(uid: string, { kind, id, title, note }: Recent): void {
  const others = recent(uid).filter((one) => one.kind !== kind || one.id !== id);
  try {
    const next = [{ kind, id, title, note }, ...others].slice(0, MOST);
    localStorage.setItem(keyOf(uid), JSON.stringify(next));
  } catch {
    // Storage may be full or switched off; then nothing is remembered.
  }
}

function isRecent(one: unknown): one is Recent {
  if (one === null || typeof one !== 'object') return false;
  return ['kind', 'id', 'title', 'note'].every(
    (name) => typeof (one as Record<string, unknown>)[name] === 'string',
  );
}
