import { useMemo } from 'react';
import { useToday } from './data';
import { useOnDevice } from './OnDevice';

/** A store's incoming stock, and what of it this device has received already. */
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
