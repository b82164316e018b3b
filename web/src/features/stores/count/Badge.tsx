import {
  IconAlertTriangle,
  IconCheck,
  IconCloudUpload,
  IconDeviceMobile,
  IconDeviceMobileCheck,
  IconHandStop,
} from '@tabler/icons-react';
import { useOutbox } from '#/offline/hooks';
import { plural } from '#/ui/format';
import classes from './Badge.module.css';
import { outbox } from './lane';
import { useProgress } from './useCount';

export interface Standing {
  tone: 'ok' | 'warn' | 'danger' | 'calm';
  kind: 'unsaved' | 'held' | 'waiting' | 'sent' | 'nothing';
  text: string;
  /** A second word beside it. */
  more?: string;
}

/** What holds for everything typed on this device, the worst of it first; `counted` of the count that is open. */
export function standingOf(
  snapshot: ReturnType<typeof outbox.snapshot>,
  counted: number,
): Standing {
  const { records, unsaved, stopped } = snapshot;
  // What could not even be read belongs to no count: it is kept, and asks nothing of anybody.
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
  if (waiting > 0) {
    const signIn = stopped === 'signIn' ? 'Sign in to send' : wait;
    return { tone: 'warn', kind: 'waiting', text: 'Saved on this device', more: signIn };
  }
  // Nothing was sent where nothing was counted.
  if (counted === 0) return { tone: 'calm', kind: 'nothing', text: 'Nothing to send' };
  return { tone: 'ok', kind: 'sent', text: 'Sent' };
}

const ICON = {
  unsaved: IconAlertTriangle,
  held: IconHandStop,
  waiting: IconDeviceMobileCheck,
  sent: IconCheck,
  nothing: IconDeviceMobile,
} as const;

/** Always in sight: where everything typed here is. */
export function Badge({ onOpen }: { onOpen(): void }) {
  const snapshot = useOutbox(outbox);
  const { counted } = useProgress();
  const { tone, kind, text, more } = standingOf(snapshot, counted);
  const Picture = snapshot.sending ? IconCloudUpload : ICON[kind];
  return (
    <span role="status" className={classes.place}>
      <button type="button" className={classes.badge} data-tone={tone} onClick={onOpen}>
        <Picture size={18} stroke={1.8} aria-hidden />
        <span className={classes.words}>
          <span className={classes.text}>{text}</span>
          {more && <span className={classes.more}>{more}</span>}
        </span>
      </button>
    </span>
  );
}
