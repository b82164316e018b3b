import { IconCamera, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { noRoomFor } from '#/documents/photoLabels';
import { shrinkPhoto } from '#/offline/shrinkPhoto';
import { uuid7 } from '#/offline/uuid7';
import { dropPhotos, keepPhoto, keptPhoto } from './device';
import classes from './PhotoField.module.css';

/** The server's limit per document. */
export const MOST_PHOTOS = 20;

interface Props {
  ids: readonly string[];
  onChange(photos: (now: string[]) => string[]): void;
  /** What they show, for screen readers; the whole document without it. */
  of?: string;
  /** The maximum number, and the longest side in pixels. */
  most?: number;
  side?: number;
}

/** Photos of a document: shrunk and stored on this device until it is sent. */
export function PhotoField({ ids, onChange, of, most = MOST_PHOTOS, side }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState('');

  async function add(chosen: readonly File[]): Promise<void> {
    const files = chosen.slice(0, most - ids.length);
    setBusy(true);
    setFailed(files.length < chosen.length ? noRoomFor(chosen.length - files.length, most) : '');
    for (const file of files) {
      const id = uuid7();
      try {
        await keepPhoto(id, await shrinkPhoto(file, side));
        onChange((now) => [...now, id]);
      } catch (error) {
        setFailed(
          error instanceof DOMException && error.name === 'QuotaExceededError'
            ? 'The photo was NOT saved: this device is full.'
            : 'This picture cannot be read. Take another one.',
        );
      }
    }
    setBusy(false);
  }

  function remove(id: string): void {
    onChange((now) => now.filter((other) => other !== id));
    void dropPhotos([id]);
  }

  return (
    <section className={classes.photos} aria-label={of ? `Photos of ${of}` : 'Photos'}>
      {ids.map((id, i) => (
        <Thumb key={id} id={id} place={i + 1} onRemove={() => remove(id)} />
      ))}
      {ids.length < most && (
        <>
          <input
            ref={input}
            type="file"
            accept="image/*"
            capture="environment"
            hidden
            aria-label={of ? `Photo of ${of}` : 'Photo'}
            onChange={(event) => {
              const files = [...(event.currentTarget.files ?? [])];
              event.currentTarget.value = '';
              if (files.length > 0) void add(files);
            }}
          />
          <button
            type="button"
            className={classes.add}
            disabled={busy}
            onClick={() => input.current?.click()}
          >
            <IconCamera size={24} stroke={1.6} aria-hidden />
            {busy ? 'Saving…' : ids.length === 0 ? 'Add a photo' : 'Another photo'}
          </button>
        </>
      )}
      {failed && (
        <p role="alert" className={classes.error}>
          {failed}
        </p>
      )}
    </section>
  );
}

function Thumb({ id, place, onRemove }: { id: string; place: number; onRemove(): void }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let over = false;
    void keptPhoto(id)
      .then((photo) => {
        if (over || !photo) return;
        made = URL.createObjectURL(photo);
        setAddress(made);
      })
      .catch(() => {});
    return () => {
      over = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [id]);
  return (
    <span className={classes.photo}>
      {address ? <img src={address} alt={`Taken: ${place}`} /> : <span className={classes.blank} />}
      <button
        type="button"
        className={classes.remove}
        aria-label={`Remove photo ${place}`}
        onClick={onRemove}
      >
        <IconX size={18} aria-hidden />
      </button>
    </span>
  );
}
