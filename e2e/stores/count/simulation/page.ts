// What a user does on the counting page, over the console's own modules: runs inside a simulated tab, without React.

import { setHandlers } from '#/api/client';
import { queries } from '#/api/queries';
import { clearSession, ME, type Me, onSessionMessage, refetchMe, setUserMemory, signOut, startSession } from '#/api/session';
import { countApi } from '#/features/stores/count/api';
import { startCountSync } from '#/features/stores/count/background';
import { CountModel } from '#/features/stores/count/countModel';
import { outbox } from '#/features/stores/count/countQueue';
import { type Draft, readDraft, unitsOf } from '#/features/stores/count/draft';
import { finishCount } from '#/features/stores/count/finishCount';
import type { CountEntry, Item, Scope } from '#/features/stores/count/types';
import { forgetUser, lastUser, rememberUser } from '#/offline/lastUser';
import { countWaiting, flushAll } from '#/offline/outboxes';
import { afterFrame } from '#/ui/afterFrame';

const uidOf = (me: Me | null | undefined) => me?.user.uid ?? null;
const signedIn = () => uidOf(queries.getQueryData<Me | null>(ME));

let scope: Scope | null = null;
let model: CountModel | null = null;
let uid: string | null = null;
let stop = () => {};

/** As the console does when the user changes: the sending and the count's screen are the user's. */
function follow(): void {
  const now = signedIn();
  if (now === uid) return;
  stop();
  uid = now;
  model = null;
  stop = () => {};
  if (!uid || !scope) return;
  const ended = startCountSync(uid);
  model = new CountModel(outbox, scope, uid, afterFrame);
  const left = model.follow();
  stop = () => {
    left();
    ended();
  };
}

function opened(): CountModel {
  if (!model) throw new Error('nobody is signed in');
  return model;
}

/** What identifies a typed value: its quantity, or the note of a removed one. */
const markOf = ({ qty, note }: Pick<CountEntry, 'qty' | 'note'>) => (qty === null ? (note ?? '') : String(qty));

const page = {
  /** Opens a count's screen. */
  async open(of: Scope): Promise<void> {
    scope = of;
    setUserMemory({ keep: (me) => void rememberUser(me), recall: lastUser, forget: () => void forgetUser() });
    setHandlers({ signedOut: clearSession });
    onSessionMessage((word) => (word === 'left' ? clearSession() : void refetchMe().catch(() => {})));
    queries.getQueryCache().subscribe(({ query }) => {
      if (query.queryKey[0] === ME[0]) follow();
    });
    await refetchMe().catch(() => {});
  },
  signedIn,
  /** The number that the fields come to, or null where the entry would not accept them. */
  read(item: Item, draft: Draft): number | null {
    const reading = readDraft(draft, unitsOf(item));
    return reading.kind === 'number' ? reading.value : null;
  },
  count: (itemId: string, qty: number | null, note?: string) => opened().count(itemId, qty, note ? { note } : {}),
  countMany: (values: { itemId: string; qty: number }[]) => opened().countMany(values),
  leave: (itemId: string, qty: number) => opened().countNow(itemId, qty),
  finish: (of: Scope) => finishCount(uid ?? '', of),
  /** Fetches what was counted elsewhere. */
  async look(of: Scope): Promise<void> {
    const entries = await countApi.entries(of.storeId, of.date);
    opened().setEntries(entries);
  },
  row: (itemId: string) => opened().peek(itemId),
  async recheck(): Promise<void> {
    const [first] = outbox.snapshot().aside;
    if (first) await outbox.recheck(first.id);
  },
  sendNow: () => flushAll(),
  signOut,
  startSession,
  online: () => window.dispatchEvent(new Event('online')),
  state() {
    const { records, aside, unsaved, stopped } = outbox.snapshot();
    return {
      waiting: countWaiting(),
      marks: records.flatMap(({ record }) => record.entries.map(markOf)),
      aside: aside.map(({ kind, reason, record }) => ({ kind, reason, marks: (record?.entries ?? []).map(markOf) })),
      unsaved: unsaved.size,
      stopped,
    };
  },
};

export type Page = typeof page;
Object.assign(globalThis, { page });
