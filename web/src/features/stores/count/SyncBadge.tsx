import {
  IconAlertTriangle,
  IconCheck,
  IconCloudUpload,
  IconDeviceMobile,
  IconDeviceMobileCheck,
  IconHandStop,
} from '@tabler/icons-react';
import { useMe } from '#/api/session';
import { useOutbox } from '#/offline/hooks';
import { plural } from '#/ui/format';
import textClasses from '#/ui/Text.module.css';
import { outbox } from './countQueue';
import { useKeptPhotos } from './photos';
import classes from './SyncBadge.module.css';
import { useProgress } from './useCount';

export interface SyncStatus {
  tone: 'ok' | 'warn' | 'danger' | 'neutral';
  kind: 'unsaved' | 'held' | 'waiting' | 'sent' | 'nothing';
  text: string;
  /** A second line. */
  more?: string;
}

/**
 * The worst status of all records on this device; `counted` is the number of counted items of the open count,
 * `refusedPhotos` why photos were refused.
 */
export function syncStatusOf(
  snapshot: ReturnType<typeof outbox.snapshot>,
  counted: number,
  refusedPhotos: readonly string[] = [],
): SyncStatus {
  const { records, unsaved, stopped } = snapshot;
  // Unreadable records belong to no count and need no action here.
  const aside = snapshot.aside.filter(({ kind }) => kind !== 'unreadable');
  const waiting = records.reduce((sum, { record }) => sum + record.entries.length, 0);
  const wait = waiting > 0 ? `${waiting} waiting to send` : '';
  if (unsaved.size > 0) {
    return { tone: 'danger', kind: 'unsaved', text: 'NOT saved', more: wait };
  }
  const [first] = aside;
  if (first) {
    const text =
      aside.length === 1 ? `Held: ${first.reason}` : `${plural(aside.length, 'count')} held`;
    return { tone: 'warn', kind: 'held', text, more: wait };
  }
  const [reason] = refusedPhotos;
  if (reason !== undefined) {
    const text =
      refusedPhotos.length === 1
        ? `Photo not accepted: ${reason}`
        : `${plural(refusedPhotos.length, 'photo')} not accepted`;
    return { tone: 'warn', kind: 'held', text, more: wait };
  }
  if (waiting > 0) {
    const signIn = stopped === 'signIn' ? 'Sign in to send' : wait;
    return { tone: 'warn', kind: 'waiting', text: 'Saved on this device', more: signIn };
  }
  // Without counts there was nothing to send.
  if (counted === 0) return { tone: 'neutral', kind: 'nothing', text: 'Nothing to send' };
  return { tone: 'ok', kind: 'sent', text: 'Sent' };
}

const ICON = {
  unsaved: IconAlertTriangle,
  held: IconHandStop,
  waiting: IconDeviceMobileCheck,
  sent: IconCheck,
  nothing: IconDeviceMobile,
} as const;

/** Always visible: whether what was typed is saved and sent. */
export function SyncBadge({ onOpen }: { onOpen(): void }) {
  const snapshot = useOutbox(outbox);
  const { counted } = useProgress();
  const { uid } = useMe().user;
  const refused = useKeptPhotos().flatMap((photo) => (photo.uid === uid && photo.refused) || []);
  const { tone, kind, text, more } = syncStatusOf(snapshot, counted, refused);
  const Picture = snapshot.sending ? IconCloudUpload : ICON[kind];
  return (
    <span role="status" className={classes.place}>
      <button
        type="button"
        className={`${textClasses.toned} ${classes.badge}`}
        data-tone={tone}
        onClick={onOpen}
      >
        <Picture size={18} stroke={1.8} aria-hidden />
        <span className={classes.words}>
          <span className={classes.text}>{text}</span>
          {more && <span className={classes.more}>{more}</span>}
        </span>
      </button>
    </span>
  );
}
