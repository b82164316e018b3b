import { Button } from '@mantine/core';
import { IconDownload, IconSend } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useMe } from '#/api/session';
import { useOutbox } from '#/offline/hooks';
import { downloadAll } from '#/offline/outboxes';
import type { AsideRecord } from '#/offline/writeQueue';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { plural, qty, shortDay } from '#/ui/format';
import textClasses from '#/ui/Text.module.css';
import { SESSION_WORD, timeOf } from './clock';
import { isTypedBy, outbox } from './countQueue';
import { discardPhoto, type KeptPhoto, retryPhoto, useKeptPhotos } from './photos';
import { syncStatusOf } from './SyncBadge';
import type { CountRecord, Item } from './types';
import classes from './WaitingDrawer.module.css';

interface Props {
  items: readonly Item[];
  onCountAgain(record: CountRecord): void;
  onClose(): void;
}

const STOP_TEXT = {
  offline: 'No connection. They are sent when it is back.',
  signIn: 'Sign in again to send them.',
  refused: 'The server is not accepting them now. They stay on this device.',
  busy: 'The server is busy. They are sent again in 30 seconds.',
} as const;

/** Lists the counts that are only on this device, with ways to send, download or discard them. */
export function WaitingDrawer({ items, onCountAgain, onClose }: Props) {
  const { uid } = useMe().user;
  const snapshot = useOutbox(outbox);
  const [busy, setBusy] = useState(false);
  const { records, aside, unsaved, stopped, sentAt } = snapshot;
  const waiting = records.reduce((sum, { record }) => sum + record.entries.length, 0);
  const names = new Map(items.map(({ id, name }) => [id, name]));
  const mine = records.filter(({ record }) => isTypedBy(record, uid));
  const photos = useKeptPhotos().filter((photo) => photo.uid === uid);
  const refused = photos.filter((photo) => photo.refused);
  const reasons = refused.map((photo) => photo.refused ?? '');
  const photosWaiting = photos.length - refused.length;
  const others = waiting - mine.reduce((sum, { record }) => sum + record.entries.length, 0);

  async function send(): Promise<void> {
    setBusy(true);
    await outbox.flush();
    setBusy(false);
  }

  return (
    <DrawerFrame opened title="Counts on this device" size={440} onClose={onClose}>
      <div className={classes.body}>
        <p
          className={`${textClasses.toned} ${classes.status}`}
          data-tone={syncStatusOf(snapshot, 1, reasons).tone}
        >
          {waiting === 0
            ? `Everything counted on this device was sent${aside.length > 0 ? `, and ${aside.length} held` : ''}${refused.length > 0 ? `, but ${plural(refused.length, 'photo')} not accepted` : ''}.`
            : `${waiting} waiting to send. ${stopped ? STOP_TEXT[stopped] : ''}`}
          {sentAt !== null && <span> Last sent at {timeOf(sentAt)}.</span>}
        </p>
        {unsaved.size > 0 && (
          <p className={`${textClasses.toned} ${classes.status}`} data-tone="danger" role="alert">
            {plural(unsaved.size, 'entry', 'entries')} could not be saved: this device is full. Send
            them now or download them before you close this page.
          </p>
        )}
        <div className={classes.actions}>
          <Button
            leftSection={<IconSend size={18} aria-hidden />}
            disabled={waiting === 0}
            loading={busy}
            onClick={() => void send()}
          >
            Send now
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            disabled={waiting === 0 && aside.length === 0}
            onClick={downloadAll}
          >
            Download
          </Button>
        </div>

        {aside.length > 0 && (
          <section aria-label="Held">
            <h3 className={classes.title}>Held</h3>
            <ul className={classes.list}>
              {aside.map((item) => (
                <AsideLine
                  key={item.id}
                  item={item}
                  own={!item.record || isTypedBy(item.record, uid)}
                  name={names.get(item.record?.entries[0]?.itemId ?? '')}
                  onCountAgain={onCountAgain}
                />
              ))}
            </ul>
          </section>
        )}

        {refused.length > 0 && (
          <section aria-label="Photos that were not accepted">
            <h3 className={classes.title}>Photos that were not accepted</h3>
            <ul className={classes.list}>
              {refused.map((photo) => (
                <PhotoLine key={photo.key} photo={photo} name={names.get(photo.itemId)} />
              ))}
            </ul>
          </section>
        )}
        {photosWaiting > 0 && (
          <p className={classes.sub}>
            {plural(photosWaiting, 'photo')} waiting to send, each with the count of its item.
          </p>
        )}

        {mine.length > 0 && (
          <section aria-label="Waiting to send">
            <h3 className={classes.title}>Waiting to send</h3>
            <ul className={classes.list}>
              {mine.flatMap(({ id, record }) =>
                record.entries.map((entry) => (
                  <li key={entry.op} className={classes.line}>
                    <span className={classes.what}>
                      {names.get(entry.itemId) ?? 'An item'}
                      <span className={classes.sub}>
                        {place(record)}, {timeOf(entry.at)}
                      </span>
                    </span>
                    <strong>{entry.qty === null ? 'removed' : qty(entry.qty)}</strong>
                    {unsaved.has(id) && <span className={classes.bad}>NOT saved</span>}
                  </li>
                )),
              )}
            </ul>
          </section>
        )}
        {others > 0 && (
          <p className={classes.sub}>
            {plural(others, 'entry', 'entries')} by another user also{' '}
            {others === 1 ? 'waits' : 'wait'} here; {others === 1 ? 'it is' : 'they are'} sent in
            that user’s name.
          </p>
        )}
      </div>
    </DrawerFrame>
  );
}

function place({ date, session }: Pick<CountRecord, 'date' | 'session'>): string {
  return `${SESSION_WORD[session]} of ${shortDay(date)}`;
}

interface AsideLineProps {
  item: AsideRecord<CountRecord>;
  own: boolean;
  name: string | undefined;
  onCountAgain(record: CountRecord): void;
}

function AsideLine({ item, own, name, onCountAgain }: AsideLineProps) {
  const [message, setMessage] = useState('');
  const { record, kind, reason } = item;
  const entry = record?.entries[0];

  async function again(): Promise<void> {
    setMessage('Asking…');
    try {
      const answer = await outbox.recheck(item.id);
      setMessage(answer?.outcome === 'held' ? 'Still held.' : 'Not accepted.');
    } catch {
      setMessage('No connection.');
    }
  }

  return (
    <li className={classes.held}>
      <span className={classes.what}>
        {own ? (name ?? (entry ? 'An item' : 'Unreadable count')) : 'Someone else’s count'}
        {record && <span className={classes.sub}>{place(record)}</span>}
      </span>
      {own && entry && <strong>{entry.qty === null ? 'removed' : qty(entry.qty)}</strong>}
      <span className={classes.reason}>
        {kind === 'held' ? 'Held: ' : ''}
        {reason}
      </span>
      <span role="status" className={classes.sub}>
        {message}
      </span>
      <Choices
        one="count"
        warning="You will no longer see this count here."
        onDiscard={() => void outbox.discard(item.id)}
      >
        {record && (
          <Button variant="default" onClick={() => void again()}>
            Try again
          </Button>
        )}
        {record && own && (
          <Button variant="default" onClick={() => onCountAgain(record)}>
            Count again
          </Button>
        )}
      </Choices>
    </li>
  );
}

/** A photo that the server refused, with the reason and what can be done about it. */
function PhotoLine({ photo, name }: { photo: KeptPhoto; name: string | undefined }) {
  const [busy, setBusy] = useState(false);

  async function again(): Promise<void> {
    setBusy(true);
    await retryPhoto(photo).catch(() => {
      // Not written: the photo and its reason stay as they are.
    });
    setBusy(false);
  }

  function download(): void {
    const address = URL.createObjectURL(photo.photo);
    const link = document.createElement('a');
    link.href = address;
    link.download = `count-photo-${photo.scope.date}.jpg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  return (
    <li className={classes.held}>
      <span className={classes.what}>
        {name ?? 'An item'}
        <span className={classes.sub}>{place(photo.scope)}</span>
      </span>
      <span className={classes.reason}>{photo.refused}</span>
      <Choices
        one="photo"
        warning="The photo is deleted from this device."
        onDiscard={() => void discardPhoto(photo.key)}
      >
        <Button variant="default" loading={busy} onClick={() => void again()}>
          Try again
        </Button>
        <Button variant="default" onClick={download}>
          Download
        </Button>
      </Choices>
    </li>
  );
}

interface ChoicesProps {
  /** What is discarded or kept: «count». */
  one: string;
  /** What discarding means; asked about before. */
  warning: string;
  onDiscard(): void;
  children: ReactNode;
}

/** What can be done about something set aside; discarding it is asked about first. */
function Choices({ one, warning, onDiscard, children }: ChoicesProps) {
  const [asking, setAsking] = useState(false);
  return asking ? (
    <span className={classes.ask}>
      <span>{warning}</span>
      <Button color="red" onClick={onDiscard}>
        Discard {one}
      </Button>
      <Button variant="default" onClick={() => setAsking(false)}>
        Keep {one}
      </Button>
    </span>
  ) : (
    <span className={classes.ask}>
      {children}
      <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
        Discard
      </Button>
    </span>
  );
}
