// The console's own code for counting offline, without its screens, against the real server: on simulated phones that
// are killed, lose their storage and their network, and change users. The counterpart of the simulation in
// crates/app/tests/api/stores/count, whose devices are a model.
//
// Without SEED the seeds are drawn anew and printed; `SEED=7` plays one again, `COUNT_SEEDS=2000` plays more.

import { randomInt } from 'node:crypto';
import { Script } from 'node:vm';
import { request } from '@playwright/test';
import { today } from '../../support/counts.ts';
import { makePerson, makeRole, password } from '../../support/people.ts';
import type { Server } from '../../support/server.ts';
import { Api, expect, test } from '../../support/test.ts';
import { FAULTS } from './simulation/faults.ts';
import { ask } from './simulation/network.ts';
import { pageScript } from './simulation/script.ts';
import { type Stage, World } from './simulation/world.ts';

// New seeds would hide what a seed has found.
test.describe.configure({ retries: 0 });

const ITEMS = 3;
/** Most faults are found by the first or second. */
const MOST_SEEDS_TO_FIND = 60;

/** One server and its users for all tests of this file. */
let set: Promise<() => Promise<Stage>> | undefined;

async function stageOn(server: Server): Promise<() => Promise<Stage>> {
  const manager = new Api(await request.newContext(), server.url);
  await manager.signIn();
  // With a right to what concerns all stores, a role is not a store's: its users reach the stores made later, too.
  const rights = {
    apps: { storeCount: { view: true } },
    stores: { storeCount: { view: true, count: true } },
    lists: { allLists: { view: true, create: true } },
  } as const;
  const role = await makeRole(manager, rights);
  const users = await Promise.all(
    ['Ana', 'Ben'].map(async (name) => {
      const { id, email } = await makePerson(manager, name, role.id);
      return { uid: id, signIn: sessionsOf(server.url, email) };
    }),
  );
  const made = async (path: string, body: object) => manager.call<{ id: string }>('POST', path, body);
  const items: { id: string }[] = [];
  for (let n = 0; n <= ITEMS; n += 1) items.push(await made('/api/lists/store-inventory-items', { name: `Item ${n}` }));
  await manager.call('DELETE', `/api/lists/store-inventory-items/${items[ITEMS]?.id}`);
  let stores = 0;
  return async () => {
    stores += 1;
    const { id: storeId } = await made('/api/stores/locations', { name: `Store ${stores}`, code: `S${stores}` });
    const open = { enforceTimeWindow: false, timeLockEnabled: false, restrictDate: false };
    await manager.call('PUT', `/api/stores/count/settings/${storeId}`, open);
    return { server, storeId, date: today(), items, users, manager };
  };
}

/** Signs in; a session that still lives is used again, since each new one takes a tenth of a second. */
function sessionsOf(url: string, email: string): () => Promise<string> {
  let cookie = '';
  return async () => {
    const alive = await ask(url, { method: 'GET', path: '/api/me', headers: { cookie }, body: undefined });
    if (alive.status !== 200) cookie = await cookieOf(url, email);
    return cookie;
  };
}

async function cookieOf(url: string, email: string): Promise<string> {
  const headers = { 'x-larder': '1', 'sec-fetch-site': 'same-origin', origin: url, 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password });
  const { status, text, cookies } = await ask(url, { method: 'POST', path: '/v1/accounts:signInWithPassword', headers, body });
  if (status !== 200) throw new Error(`${email} cannot sign in: ${status} ${text}`);
  return cookies[0]?.split(';')[0] ?? '';
}

test('no count is lost, doubled or wrong', async ({ server }) => {
  const given = Number(process.env.COUNT_SEEDS ?? 10);
  test.setTimeout(60_000 + given * 10_000);
  const stage = await (set ??= stageOn(server));
  const script = new Script(await pageScript());
  const first = process.env.SEED ? Number(process.env.SEED) : randomInt(1, 2 ** 31);
  const seeds = Array.from({ length: process.env.SEED ? 1 : given }, (_, n) => first + n);
  console.log(`seeds ${seeds[0]} to ${seeds.at(-1)}`);
  for (const seed of seeds) {
    const { wrong, log } = await new World(await stage(), seed, script).live();
    expect(wrong.length, `SEED=${seed}\n${wrong.join('\n')}\n${log.join('\n')}`).toBe(0);
  }
});

for (const fault of FAULTS) {
  test(`the simulation finds out if ${fault.name}`, async ({ server }) => {
    const stage = await (set ??= stageOn(server));
    const script = new Script(await pageScript(fault));
    const { seed: first = 1 } = fault;
    let found: readonly string[] = [];
    for (let seed = first; seed < first + MOST_SEEDS_TO_FIND && found.length === 0; seed += 1) {
      found = (await new World(await stage(), seed, script).live()).wrong;
    }
    expect(found).not.toEqual([]);
  });
}
