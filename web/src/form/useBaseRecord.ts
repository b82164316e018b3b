import { useRef, useState } from 'react';

/**
 * The version of a record its form starts from: the latest one, even from another user, unless
 * something was typed. Call `onDirty` then.
 */
export function useBaseRecord<T extends object | null | undefined>(
  latest: T,
): { base: T; onDirty(dirty: boolean): void } {
  const dirty = useRef(false);
  const base = useRef(latest);
  const [onDirty] = useState(() => (now: boolean) => {
    dirty.current = now;
  });
  if (!dirty.current || !base.current || idOf(base.current) !== idOf(latest)) base.current = latest;
  return { base: base.current, onDirty };
}

/** Settings of a group or a store have no id: there is one of each. */
const idOf = (record: object | null | undefined) =>
  record && 'id' in record ? record.id : undefined;
