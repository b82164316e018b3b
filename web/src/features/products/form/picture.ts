// Uploads a picture with XMLHttpRequest, because `fetch` reports no upload progress.
import { Problem } from '#/api/problem';
import { type Product, productsApi } from '../api';

export const ACCEPT = 'image/jpeg,image/png,image/webp,image/gif';
/** The server's limit. */
const LIMIT = 10 * 1024 * 1024;
/** Pixels of the longer side: the server keeps no more. */
const SIDE = 1600;

/** Why the file cannot be used; null when it can. */
export function rejectReason(file: File): string | null {
  if (!ACCEPT.split(',').includes(file.type)) return 'Choose a JPEG, PNG, WebP or GIF picture.';
  return null;
}

/** Scales large photos down before sending; small files are sent as they are. */
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
    // The browser cannot decode it: let the server decide.
    return file;
  }
}

/** Uploads a product's picture; `progress` gets values from 0 to 1. */
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
