// Whether the top bar shows the way to the search. Whoever knows Ctrl+K may want the room.
import { useSyncExternalStore } from 'react';

const KEY = 'larder:search-icon';
const heard = new Set<() => void>();
/** Chosen for as long as the page is open, where nothing can be kept. */
let chosen: boolean | null = null;

function isShown(): boolean {
  if (chosen !== null) return chosen;
  try {
    return localStorage.getItem(KEY) !== 'hidden';
  } catch {
    return true;
  }
}

export function showSearchIcon(shown: boolean): void {
  chosen = shown;
  try {
    if (shown) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'hidden');
  } catch {
    // It comes back with the next page, then.
  }
  for (const hear of heard) hear();
}

function subscribe(hear: () => void): () => void {
  heard.add(hear);
  return () => heard.delete(hear);
}

export function useSearchIcon(): boolean {
  return useSyncExternalStore(subscribe, isShown, () => true);
}
