// One person counts a session at a time: whoever types holds it, and is asked before another takes it.
import { useCallback, useEffect, useState } from 'react';
import { Problem } from '#/api/problem';
import { useMe } from '#/api/session';
import { disk } from '#/offline/device';
import { countApi } from './api';
import type { CountState, Lease, Scope } from './types';

/** Well before the fifteen minutes are over. */
const RENEW_MS = 5 * 60_000;

export function useLease(scope: Scope, wanted: boolean, state: CountState | undefined) {
  const { uid } = useMe().user;
  const { storeId, date, session } = scope;
  const [device, setDevice] = useState('');
  const [refused, setRefused] = useState<{ key: string; lease: Lease } | null>(null);
  const key = `${storeId} ${date} ${session}`;

  useEffect(() => {
    // A full disk has no name for this device; then nobody is kept out by it.
    disk.device().then(setDevice, () => {});
  }, []);

  const ask = useCallback(
    async (takeOver: boolean): Promise<void> => {
      if (!device || !storeId) return;
      try {
        await countApi.lease({ storeId, date, session }, device, takeOver);
        setRefused(null);
      } catch (error) {
        const { code, extras } = Problem.of(error);
        // Everything else, such as no connection, keeps nobody from counting.
        if (code === 'leased' && extras.lease) {
          setRefused({ key: `${storeId} ${date} ${session}`, lease: extras.lease as Lease });
        }
      }
    },
    [device, storeId, date, session],
  );

  useEffect(() => {
    if (!wanted) return;
    void ask(false);
    const timer = setInterval(() => void ask(false), RENEW_MS);
    return () => clearInterval(timer);
  }, [wanted, ask]);

  const told = refused?.key === key ? refused.lease : (state?.lease ?? null);
  const over = told !== null && Date.parse(told.until) <= Date.now();
  const other = told && !over && told.uid !== uid ? told : null;
  const takeOver = useCallback(() => ask(true), [ask]);
  return { other, takeOver };
}
