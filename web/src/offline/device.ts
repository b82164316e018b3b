// The storage of this browser, opened once.
import { IndexedDisk } from './disk';
import { LocalMirror } from './mirror';
import { newDeviceId } from './uuid7';

export const disk = new IndexedDisk(newDeviceId);
export const mirror = new LocalMirror();

/** Cache keys of pictures: they take the most room and can be fetched again. */
export const PICTURE_PREFIX = 'picture:';

/** Removes cached pictures to make room for counts. */
export function dropPictures(): Promise<void> {
  return disk.sweep('cache', PICTURE_PREFIX);
}

/** Asks the browser not to clear this site's storage when the device runs full; it may refuse. */
export async function requestPersistence(): Promise<void> {
  try {
    if (!(await navigator.storage?.persisted?.())) await navigator.storage?.persist?.();
  } catch {
    // Refused: the data stays as long as the browser keeps it.
  }
}
