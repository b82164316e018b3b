// Pictures of items, kept on the device for counting offline.
import { useEffect, useState } from 'react';
import { disk, PICTURE_PREFIX } from '#/offline/device';
import type { Item } from './types';

const MAX_PICTURES = 500;
const MAX_BYTES = 120_000;

/** Fetches missing pictures one after the other. */
export async function keepPictures(items: readonly Item[], signal: AbortSignal): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const wanted = new Set<string>();
  for (const { imageUrl } of items) {
    if (imageUrl && wanted.size < MAX_PICTURES) wanted.add(PICTURE_PREFIX + imageUrl);
  }
  try {
    for (const key of wanted) {
      if (signal.aborted || !navigator.onLine) return;
      if (await disk.get('cache', key)) continue;
      const answer = await fetch(key.slice(PICTURE_PREFIX.length), { signal });
      if (!answer.ok) continue;
      const picture = await answer.blob();
      if (picture.size <= MAX_BYTES) await disk.put('cache', key, picture);
    }
  } catch {
    // No room or no network: the item's first letter is shown instead.
  }
}

/** The address of a picture: the server's, the device's copy when that fails, or null. */
export function usePicture(url: string | null | undefined) {
  const [lost, setLost] = useState<string | null>(null);
  const [kept, setKept] = useState<string | null>(null);
  const missing = url !== null && url !== undefined && lost === url;

  useEffect(() => {
    if (!missing || !url) return;
    let address: string | null = null;
    let over = false;
    void disk
      .get('cache', PICTURE_PREFIX + url)
      .then((picture) => {
        if (over || !(picture instanceof Blob)) return;
        address = URL.createObjectURL(picture);
        setKept(address);
      })
      .catch(() => {});
    return () => {
      over = true;
      if (address) URL.revokeObjectURL(address);
      setKept(null);
    };
  }, [missing, url]);

  return { src: missing ? kept : (url ?? null), lose: () => setLost(url ?? null) };
}
