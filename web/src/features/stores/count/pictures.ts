// Pictures of items, kept on the device so that they are there in the freezer, too.
import { useEffect, useState } from 'react';
import { disk, PICTURES } from '#/offline/device';
import type { Item } from './types';

const MOST = 500;
const LARGEST = 120_000;

/** Keeps what is not kept yet, one after the other, when nothing else is going on. */
export async function keepPictures(items: readonly Item[], signal: AbortSignal): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const wanted = new Set<string>();
  for (const { imageUrl } of items) {
    if (imageUrl && wanted.size < MOST) wanted.add(PICTURES + imageUrl);
  }
  try {
    for (const key of wanted) {
      if (signal.aborted || !navigator.onLine) return;
      if (await disk.get('cache', key)) continue;
      const answer = await fetch(key.slice(PICTURES.length), { signal });
      if (!answer.ok) continue;
      const picture = await answer.blob();
      if (picture.size <= LARGEST) await disk.put('cache', key, picture);
    }
  } catch {
    // No room or no network: the picture is a letter then.
  }
}

/** Where a picture can be shown from: the server, the device when that fails, or nowhere. */
export function usePicture(url: string | null | undefined) {
  const [lost, setLost] = useState<string | null>(null);
  const [kept, setKept] = useState<string | null>(null);
  const missing = url !== null && url !== undefined && lost === url;

  useEffect(() => {
    if (!missing || !url) return;
    let address: string | null = null;
    let over = false;
    void disk
      .get('cache', PICTURES + url)
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
