// The branch app's device storage besides its queue: photos and sending progress. In «meta», because «cache» may be
// cleared.
import { disk } from '#/offline/device';
import type { Progress } from './types';

/** Devices hold data under these: never change them. */
const PHOTO = 'branch-photo:';
const PROGRESS = 'branch-progress:';

export async function keepPhoto(id: string, photo: Blob): Promise<void> {
  await disk.put('meta', PHOTO + id, photo);
}

export async function keptPhoto(id: string): Promise<Blob | null> {
  const photo = await disk.get('meta', PHOTO + id);
  return photo instanceof Blob ? photo : null;
}

export async function dropPhotos(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await disk
    .change(
      'meta',
      [],
      ids.map((id) => PHOTO + id),
    )
    .catch(() => {});
}

export async function progressOf(op: string): Promise<Progress | null> {
  return ((await disk.get('meta', PROGRESS + op)) as Progress | undefined) ?? null;
}

export async function setProgress(op: string, progress: Progress | null): Promise<void> {
  if (progress) await disk.put('meta', PROGRESS + op, progress);
  else await disk.change('meta', [], [PROGRESS + op]).catch(() => {});
}

/** Deletes the progress of records no longer on this device. */
export async function sweepProgress(isKept: (op: string) => boolean): Promise<void> {
  await disk.sweep('meta', PROGRESS, (key) => isKept(key.slice(PROGRESS.length))).catch(() => {});
}
