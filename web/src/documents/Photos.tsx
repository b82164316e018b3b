import { Button, Modal } from '@mantine/core';
import { IconCamera, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { useReturnFocus } from '#/ui/useReturnFocus';
import classes from './Photos.module.css';
import { noRoomFor } from './photoLabels';

/** The most pictures of a document. */
const MOST = 20;
const BASE = '/api/stores/photos';

const src = (id: string, size: 'thumb' | 'full') =>
  `${BASE}/${encodeURIComponent(id)}?size=${size}`;

interface Props {
  storeId: string;
  ids: readonly string[];
  /** Absent if read-only. */
  onChange?(ids: string[]): void;
  error?: string | null;
  /** What a picture shows, by its id, where it is not the whole document. */
  captions?: ReadonlyMap<string, string>;
}

/** Pictures of a document: each is uploaded at once, and attached when the document is saved. */
export function Photos({ storeId, ids, onChange, error, captions }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState(0);
  const [failed, setFailed] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  useReturnFocus(open !== null);

  /** Sends each photo; a refused one does not stop the others, and each omission is reported. */
  async function send(chosen: readonly File[]): Promise<void> {
    const files = chosen.slice(0, MOST - ids.length);
    const left = chosen.length - files.length;
    const wrong = left > 0 ? [noRoomFor(left, MOST)] : [];
    setFailed('');
    setSending(files.length);
    const added: string[] = [];
    for (const file of files) {
      try {
        const query = { storeId, id: crypto.randomUUID() };
        const sent = await request('POST', BASE, { query, raw: file });
        added.push(sent.id);
      } catch (problem) {
        wrong.push(`${file.name}: ${Problem.of(problem).message}`);
      }
      setSending((waiting) => waiting - 1);
    }
    setSending(0);
    setFailed(wrong.join(' '));
    if (added.length > 0) onChange?.([...ids, ...added]);
  }

  if (!onChange && ids.length === 0) return null;
  return (
    <section className={classes.photos} aria-label="Photos">
      {ids.map((id, i) => (
        <span key={id} className={classes.photo}>
          <button
            type="button"
            className={classes.thumb}
            aria-label={['Open photo', i + 1, captions?.get(id)].filter(Boolean).join(' ')}
            onClick={() => setOpen(id)}
          >
            <img src={src(id, 'thumb')} alt="" />
          </button>
          {captions?.has(id) && <span className={classes.caption}>{captions.get(id)}</span>}
          {onChange && (
            <button
              type="button"
              className={classes.remove}
              aria-label={`Remove photo ${i + 1}`}
              onClick={() => onChange(ids.filter((other) => other !== id))}
            >
              <IconX size={14} aria-hidden />
            </button>
          )}
        </span>
      ))}
      {onChange && ids.length < MOST && (
        <>
          <input
            ref={input}
            type="file"
            accept="image/jpeg,image/png,image/webp,image/gif"
            multiple
            hidden
            onChange={(event) => {
              const files = [...(event.currentTarget.files ?? [])];
              event.currentTarget.value = '';
              if (files.length > 0) void send(files);
            }}
          />
          <Button
            className={classes.add}
            variant="default"
            size="xs"
            loading={sending > 0}
            leftSection={<IconCamera size={16} stroke={1.7} aria-hidden />}
            onClick={() => input.current?.click()}
          >
            {ids.length === 0 ? 'Add photo' : 'Another photo'}
          </Button>
        </>
      )}
      {(failed || error) && (
        <p role="alert" className={classes.error}>
          {failed || error}
        </p>
      )}
      {open && (
        <Modal
          opened
          onClose={() => setOpen(null)}
          title={`Photo ${ids.indexOf(open) + 1} of ${ids.length}`}
          size="lg"
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          <img
            className={classes.full}
            src={src(open, 'full')}
            alt={`${ids.indexOf(open) + 1} of what came`}
          />
        </Modal>
      )}
    </section>
  );
}
