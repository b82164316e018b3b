import { Button } from '@mantine/core';
import { IconDownload, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMe } from '#/api/session';
import { useOnline, useOutbox, useWaiting } from '#/offline/hooks';
import { downloadAll, flushAll } from '#/offline/outboxes';
import type { AsideRecord } from '#/offline/writeQueue';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { moment, plural } from '#/ui/format';
import textClasses from '#/ui/Text.module.css';
import { AnswerButton } from './AnswerButton';
import { dropPhotos } from './device';
import classes from './QueueDrawer.module.css';
import { outbox, questionOf } from './queue';
import { goOnWith } from './reopen';
import type { BranchRecord, RecordKind } from './types';

const STOPPED = {
  offline: 'No connection. It is sent when it is back.',
  signIn: 'Sign in again to send it.',
  refused: 'The server is not accepting it now. It stays on this device.',
  busy: 'The server is busy. It is sent again in 30 seconds.',
} as const;

export const KIND_WORD: Record<RecordKind, string> = {
  receive: 'Receipt',
  waste: 'Waste',
  transfer: 'Transfer',
  cash: 'Cash declaration',
  deposit: 'Deposit',
  order: 'Order',
  zReading: 'Z-reading',
};

interface Props {
  opened: boolean;
  onClose(): void;
}

interface Left {
  waiting: number;
  held: number;
  refused: number;
  /** Why nothing is sent now. */
  why: string | null;
}

/** What is still on this device, and why. */
export function statusOf({ waiting, held, refused, why }: Left): string {
  const left = [
    waiting > 0 && `${waiting} waiting to be sent.`,
    waiting > 0 && why,
    held > 0 && `${plural(held, 'document is', 'documents are')} not sent until you answer.`,
    refused > 0 && `${plural(refused, 'document was', 'documents were')} refused.`,
  ].filter(Boolean);
  return left.join(' ') || 'Everything was sent.';
}

/** Records only on this device, with buttons to send, reopen and download them. */
export function QueueDrawer({ opened, onClose }: Props) {
  const { uid } = useMe().user;
  const { records, aside, unsaved, stopped, settled } = useOutbox(outbox);
  const { waiting } = useWaiting();
  const online = useOnline();
  const why = stopped ?? (online ? null : 'offline');
  const [busy, setBusy] = useState(false);
  const mine = records.filter(({ record }) => record.uid === uid);
  const others = records.length - mine.length;
  const held = aside.filter((item) => questionOf(item));
  const refused = aside.filter((item) => !questionOf(item));
  const counts = waiting - records.length;
  const sent = settled.filter(({ answer }) => answer.outcome === 'applied').reverse();

  async function send(): Promise<void> {
    setBusy(true);
    await flushAll();
    setBusy(false);
  }

  return (
    <DrawerFrame opened={opened} title="On this device" size={440} onClose={onClose}>
      <div className={classes.body}>
        <p
          className={`${textClasses.toned} ${classes.status}`}
          data-tone={refused.length > 0 ? 'danger' : waiting + held.length > 0 ? 'warn' : 'ok'}
          role="status"
        >
          {statusOf({
            waiting,
            held: held.length,
            refused: refused.length,
            why: why && STOPPED[why],
          })}
        </p>
        {unsaved.size > 0 && (
          <p className={`${textClasses.toned} ${classes.status}`} data-tone="danger" role="alert">
            {plural(unsaved.size, 'document')} could not be saved: this device is full. Send now, or
            download before you close this page.
          </p>
        )}
        <div className={classes.actions}>
          <Button
            size="md"
            leftSection={<IconSend size={18} aria-hidden />}
            disabled={waiting === 0}
            loading={busy}
            onClick={() => void send()}
          >
            Send now
          </Button>
          <Button
            size="md"
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            disabled={waiting === 0 && aside.length === 0}
            onClick={downloadAll}
          >
            Download
          </Button>
        </div>
        {held.length > 0 && (
          <section aria-label="To answer">
            <h3 className={classes.title}>To answer</h3>
            <ul className={classes.list}>
              {held.map((item) => (
                <Refused key={item.id} item={item} own={item.record?.uid === uid} onGo={onClose} />
              ))}
            </ul>
          </section>
        )}
        {refused.length > 0 && (
          <section aria-label="Refused">
            <h3 className={classes.title}>Refused</h3>
            <ul className={classes.list}>
              {refused.map((item) => (
                <Refused key={item.id} item={item} own={item.record?.uid === uid} onGo={onClose} />
              ))}
            </ul>
          </section>
        )}
        {mine.length > 0 && (
          <section aria-label="Waiting">
            <h3 className={classes.title}>Waiting</h3>
            <ul className={classes.list}>
              {mine.map(({ id, record }) => (
                <li key={id} className={classes.line}>
                  <strong>
                    {KIND_WORD[record.kind]}: {record.title}
                  </strong>
                  <span>Finished {moment(record.at)}</span>
                  {unsaved.has(id) && <span className={classes.bad}>NOT saved</span>}
                </li>
              ))}
            </ul>
          </section>
        )}
        {counts > 0 && (
          <p className={classes.sub}>
            {plural(counts, 'item count')} also {counts === 1 ? 'waits' : 'wait'}.
          </p>
        )}
        {others > 0 && (
          <p className={classes.sub}>
            {plural(others, 'document')} entered by another user {others === 1 ? 'waits' : 'wait'}{' '}
            here until they sign in again.
          </p>
        )}
        {sent.length > 0 && (
          <section aria-label="Sent">
            <h3 className={classes.title}>Sent</h3>
            <ul className={classes.list}>
              {sent.map(({ record, answer }) => (
                <li key={record.op} className={classes.line}>
                  <strong>
                    {KIND_WORD[record.kind]}: {record.title}
                  </strong>
                  <span>{answer.reason}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </DrawerFrame>
  );
}

interface RefusedProps {
  item: AsideRecord<BranchRecord>;
  own: boolean;
  onGo(): void;
}

/** A document the server refused: the reason and the options. */
function Refused({ item, own, onGo }: RefusedProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [message, setMessage] = useState('');
  const { record, reason } = item;
  const question = questionOf(item);

  async function again(): Promise<void> {
    setMessage('Asking…');
    try {
      await outbox.recheck(item.id);
      setMessage('');
    } catch {
      setMessage('No connection.');
    }
  }

  async function discard(): Promise<void> {
    if (record) await dropPhotos(record.photos);
    await outbox.discard(item.id);
  }

  return (
    <li className={classes.line}>
      <strong>{record ? `${KIND_WORD[record.kind]}: ${record.title}` : 'Unreadable'}</strong>
      <span className={question ? undefined : classes.bad}>{reason}</span>
      {message && <span role="status">{message}</span>}
      {asking ? (
        <span className={classes.actions}>
          <span>What was typed is gone then.</span>
          <Button size="md" color="red" onClick={() => void discard()}>
            Discard it
          </Button>
          <Button size="md" variant="default" onClick={() => setAsking(false)}>
            Keep it
          </Button>
        </span>
      ) : (
        <span className={classes.actions}>
          {record && own && (
            <>
              {question && <AnswerButton item={item} question={question} />}
              <Button
                size="md"
                variant={question ? 'default' : 'filled'}
                onClick={() =>
                  void goOnWith(item.id, record).then((path) => {
                    onGo();
                    void navigate(path);
                  })
                }
              >
                Change it
              </Button>
              {!question && (
                <Button size="md" variant="default" onClick={() => void again()}>
                  Try again
                </Button>
              )}
            </>
          )}
          <Button size="md" variant="subtle" color="red" onClick={() => setAsking(true)}>
            Discard
          </Button>
        </span>
      )}
    </li>
  );
}
