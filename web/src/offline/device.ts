// The stores of this browser, opened once for everything that is kept in them.
import { IndexedDisk } from './disk';
import { LocalMirror } from './mirror';
import { newDeviceId } from './uuid7';

export const disk = new IndexedDisk(newDeviceId);
export const mirror = new LocalMirror();

/** What can be fetched again and takes the most room. */
export const PICTURES = 'picture:';

/** Frees the room that pictures take; counts matter more. */
export function dropPictures(): Promise<void> {
  return disk.sweep('cache', PICTURES);
}

/** Asks the browser not to clear this site when the device runs full; it may say no. */
export async function askToStay(): Promise<void> {
  try {
    if (!(await navigator.storage?.persisted?.())) await navigator.storage?.persist?.();
  } catch {
    // It stays as long as the browser lets it.
  }
}
