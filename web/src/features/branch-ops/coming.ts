import { useMemo } from 'react';
import { useToday } from './data';
import { useOnDevice } from './OnDevice';

/** What is on its way to a store, and what of it was taken in on this device already. */
export function useComing(storeId: string) {
  const today = useToday(storeId);
  const here = useOnDevice('receive', storeId);
  const expected = today.data?.expected;
  const open = useMemo(() => {
    const { waiting, refused, answered } = here;
    const taken = new Set([
      ...waiting.map(({ subject }) => subject),
      ...refused.map(({ record }) => record?.subject),
      ...answered.map(({ record }) => record.subject),
    ]);
    return (expected ?? []).filter(({ id }) => !taken.has(id));
  }, [expected, here]);
  return { today, open, here };
}
