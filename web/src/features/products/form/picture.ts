// Sending a picture, with its progress; `fetch` does not tell how far an upload has come.
import { Problem } from '#/api/problem';
import { type Product, productsApi } from '../api';

export const ACCEPT = 'image/jpeg,image/png,image/webp,image/gif';
/** What the server takes at most. */
const LIMIT = 10 * 1024 * 1024;
/** A longer side than this is more than the server keeps. */
const SIDE = 1600;

/** What cannot be taken, in words; null when it can. */
export function refusal(file: File): string | null {
  if (!ACCEPT.split(',').includes(file.type)) return 'Choose a JPEG, PNG, WebP or GIF picture.';
  return null;
}

/** A phone's photo is made smaller before it is sent; what is small enough goes as it is. */
async function smaller(file: File): Promise<Blob> {
  if (file.size <= LIMIT / 4 || file.type === 'image/gif') return file;
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.88));
    return blob && blob.size < file.size ? blob : file;
  } catch {
    // The browser cannot read it; the server may, or says why not.
    return file;
  }
}

/** Gives a product its picture; `progress` hears shares from 0 to 1. */
export async function sendPicture(
  id: string,
  file: File,
  progress: (share: number) => void,
): Promise<Product> {
  const picture = await smaller(file);
  if (picture.size > LIMIT) throw new Problem(413, 'tooLarge', 'A picture has at most 10 MB.');
  return new Promise((done, fail) => {
    const call = new XMLHttpRequest();
    call.open('POST', productsApi.pictureHref(id));
    call.setRequestHeader('X-Larder', '1');
    call.setRequestHeader('Content-Type', 'application/octet-stream');
    call.upload.addEventListener('progress', ({ loaded, total }) => progress(loaded / total));
    call.addEventListener('error', () => fail(Problem.offline()));
    call.addEventListener('load', () => {
      const { status, responseText } = call;
      if (status >= 200 && status < 300) done(JSON.parse(responseText) as Product);
      else void Problem.from(new Response(responseText, { status })).then(fail);
    });
    call.send(picture);
  });
}
