import { useMemo } from 'react';
import { useMe } from '#/api/session';
import { useOutbox } from '#/offline/hooks';
import { useToday } from '../data';
import { outbox } from '../queue';
import type { BranchRecord, Coming } from '../types';

export interface Answered {
  record: BranchRecord;
  /** The number of the document that was made. */
  number: string;
}

/** What is on its way to a store, and what of it was taken in on this device already. */
export function useComing(storeId: string) {
  const { uid } = useMe().user;
  const today = useToday(storeId);
  const { records, aside, settled } = useOutbox(outbox);
  const expected = today.data?.expected;
  const lists = useMemo(() => {
    const received = (record: BranchRecord | null): record is BranchRecord =>
      record?.kind === 'receive' && record.storeId === storeId && record.uid === uid;
    const waiting = records.map(({ record }) => record).filter(received);
    const refused = aside.filter(({ record }) => received(record));
    const answered: Answered[] = settled
      .filter(({ record, answer }) => received(record) && answer.outcome === 'applied')
      .map(({ record, answer }) => ({ record, number: answer.reason ?? '' }));
    const taken = new Set([
      ...waiting.map(({ subject }) => subject),
      ...refused.map(({ record }) => record?.subject),
      ...answered.map(({ record }) => record.subject),
    ]);
    const open: Coming[] = (expected ?? []).filter(({ id }) => !taken.has(id));
    return { open, waiting, refused, answered };
  }, [expected, records, aside, settled, storeId, uid]);
  return { today, ...lists };
}
