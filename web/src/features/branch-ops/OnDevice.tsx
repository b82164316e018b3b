import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCloudUpload } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useMe } from '#/api/session';
import { useOutbox } from '#/offline/hooks';
import type { AsideRecord } from '#/offline/writeQueue';
import { moment } from '#/ui/format';
import { AnswerButton } from './AnswerButton';
import { outbox, questionOf } from './queue';
import { goOnWith } from './reopen';
import screen from './Screen.module.css';
import type { BranchRecord, RecordKind } from './types';

export interface Answered {
  record: BranchRecord;
  /** The number of the created document. */
  number: string;
}

/** The user's documents of a kind on this device: waiting, refused, and those sent since the app was opened. */
export function useOnDevice(kind: RecordKind, storeId: string) {
  const { uid } = useMe().user;
  const { records, aside, settled } = useOutbox(outbox);
  return useMemo(() => {
    const own = (record: BranchRecord | null): record is BranchRecord =>
      record?.kind === kind && record.storeId === storeId && record.uid === uid;
    const waiting = records.map(({ record }) => record).filter(own);
    const refused = aside.filter(({ record }) => own(record));
    const answered: Answered[] = settled
      .filter(({ record, answer }) => own(record) && answer.outcome === 'applied')
      .map(({ record, answer }) => ({ record, number: answer.reason ?? '' }))
      .reverse();
    return { waiting, refused, answered };
  }, [records, aside, settled, kind, storeId, uid]);
}

interface Props {
  waiting: readonly BranchRecord[];
  refused: readonly AsideRecord<BranchRecord>[];
  answered: readonly Answered[];
  /** The outcome of a sent one. */
  done: string;
}

/** The outcome of each. */
export function OnDevice({ waiting, refused, answered, done }: Props) {
  const navigate = useNavigate();
  if (waiting.length + refused.length + answered.length === 0) return null;
  return (
    <ul className={screen.list} aria-label="On this device" aria-live="polite">
      {refused.map((item) => {
        const question = questionOf(item);
        return (
          <li key={item.id} className={screen.card} data-tone={question ? 'warn' : 'danger'}>
            <IconAlertTriangle size={24} stroke={1.6} aria-hidden />
            <span className={screen.words}>
              <strong>
                {item.record?.title} {question ? 'waits for your answer' : 'was refused'}
              </strong>
              <span data-tone={question ? 'warn' : 'danger'}>{item.reason}</span>
              <span className={screen.buttons}>
                {question && <AnswerButton item={item} question={question} />}
                <Button
                  size="md"
                  h={44}
                  variant={question ? 'default' : 'filled'}
                  onClick={() => {
                    if (item.record) void goOnWith(item.id, item.record).then(navigate);
                  }}
                >
                  Change it
                </Button>
              </span>
            </span>
          </li>
        );
      })}
      {waiting.map(({ op, title, at }) => (
        <li key={op} className={screen.card} data-tone="warn">
          <IconCloudUpload size={24} stroke={1.6} aria-hidden />
          <span className={screen.words}>
            <strong>{title}</strong>
            <span>Saved on this device, {moment(at).split(', ')[1]}. Waiting to be sent.</span>
          </span>
        </li>
      ))}
      {answered.map(({ record, number }) => (
        <li key={record.op} className={screen.card} data-tone="ok">
          <IconCircleCheck size={24} stroke={1.6} aria-hidden />
          <span className={screen.words}>
            <strong>{record.title}</strong>
            <span>
              {record.step || record.kind === 'zReading' || !number
                ? done
                : 'Saved as a draft for another user to finish'}
              {number && `: ${number}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
