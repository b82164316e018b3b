// Whether the top bar shows the search button, which users of Ctrl+K may hide.
import { useSyncExternalStore } from 'react';

const KEY = 'larder:search-icon';
const listeners = new Set<() => void>();
/** The choice while localStorage is not available. */
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
    // Not remembered: the button is back after a reload.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSearchIcon(): boolean {
  return useSyncExternalStore(subscribe, isShown, () => true);
}
