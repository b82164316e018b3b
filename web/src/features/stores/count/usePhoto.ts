import { useState } from 'react';
import { shrinkPhoto } from '#/offline/shrinkPhoto';
import type { CountModel } from './countModel';
import { keepPhoto, refusalOf, sendPhotos } from './photos';

/** Takes the photo of an item, and says what became of it. */
export function usePhoto(book: CountModel, itemId: string) {
  const [message, setMessage] = useState('');
  const [shown, setShown] = useState(itemId);
  if (shown !== itemId) {
    setShown(itemId);
    setMessage('');
  }

  async function take(file: File): Promise<void> {
    let key: string;
    try {
      key = await keepPhoto(book.scope, book.uid, itemId, await shrinkPhoto(file));
      setMessage('Photo saved on this device');
    } catch {
      setMessage('The photo could not be saved. This device is full.');
      return;
    }
    await sendPhotos(book.uid);
    const refused = refusalOf(key);
    if (refused) setMessage(`The photo was not accepted: ${refused} It stays on this device.`);
  }

  return { message, take };
}
