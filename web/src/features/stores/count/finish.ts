// A count may be finished in the freezer: the wish waits behind the entries it is about.
import { Problem } from '#/api/problem';
import { disk } from '#/offline/device';
import { countApi, isOutOfReach } from './api';
import { outbox } from './lane';
import type { Scope } from './types';

const WISH = 'finish:';

interface Wish {
  uid: string;
  scope: Scope;
}

const name = ({ storeId, date, session }: Scope) => `${WISH}${storeId}:${date}:${session}`;

function isWaiting({ storeId, date, session }: Scope): boolean {
  return outbox
    .snapshot()
    .records.some(
      ({ record }) =>
        record.storeId === storeId && record.date === date && record.session === session,
    );
}

/** True when the server knows; false when it will be told later. */
export async function finish(uid: string, scope: Scope): Promise<boolean> {
  await outbox.flush();
  if (!isWaiting(scope)) {
    try {
      await countApi.finish(scope);
      return true;
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    }
  }
  await disk.put('meta', name(scope), { uid, scope } satisfies Wish);
  return false;
}

/** Tells the server what was finished without it. */
export async function finishWaiting(uid: string): Promise<void> {
  const keys = await disk.keys('meta').catch(() => []);
  for (const key of keys) {
    if (!key.startsWith(WISH)) continue;
    const wish = (await disk.get('meta', key).catch(() => undefined)) as Wish | undefined;
    if (!wish || wish.uid !== uid || isWaiting(wish.scope)) continue;
    try {
      await countApi.finish(wish.scope);
    } catch (error) {
      // Refused for good is answered, too; the count itself shows that it is not finished.
      const { status } = Problem.of(error);
      if (isOutOfReach(error) || status === 401 || status === 429) continue;
    }
    await disk.change('meta', [], [key]).catch(() => {});
  }
}
