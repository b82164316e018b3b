// Phone photos have several megabytes and contain the location.

const LONGEST_SIDE = 1600;

/** Scales the photo down and drops its camera metadata. */
export async function shrinkPhoto(photo: Blob, side = LONGEST_SIDE): Promise<Blob> {
  const picture = await createImageBitmap(photo);
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((done) => {
    canvas.toBlob((made) => done(made ?? photo), 'image/jpeg', 0.82);
  });
}
