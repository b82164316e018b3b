// One person counts a session at a time: the user who types holds the lease; others are asked before they take it over.
import { useCallback, useEffect, useState } from 'react';
import { Problem } from '#/api/problem';
import { useMe } from '#/api/session';
import { disk } from '#/offline/device';
import { countApi } from './api';
import type { CountState, Lease, Scope } from './types';

/** The server's lease lasts fifteen minutes. */
const RENEW_MS = 5 * 60_000;

export function useLease(scope: Scope, wanted: boolean, state: CountState | undefined) {
  const { uid } = useMe().user;
  const { storeId, date, session } = scope;
  const [device, setDevice] = useState('');
  const [refused, setRefused] = useState<{ key: string; lease: Lease } | null>(null);
  const key = `${storeId} ${date} ${session}`;

  useEffect(() => {
    // A full disk cannot give a device id; then no lease is taken.
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
        // Other errors, such as no connection, must not prevent counting.
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

  const lease = refused?.key === key ? refused.lease : (state?.lease ?? null);
  const over = lease !== null && Date.parse(lease.until) <= Date.now();
  const other = lease && !over && lease.uid !== uid ? lease : null;
  const takeOver = useCallback(() => ask(true), [ask]);
  return { other, takeOver };
}
