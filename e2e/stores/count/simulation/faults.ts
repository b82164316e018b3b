// Changes to the console's code that lose, double or confuse counts: the simulation must find out about each.

import type { Fault } from './script.ts';

const FORGET_ALL = 'await this.#store.remove([...this.#store.records.keys()]);';

export const FAULTS: readonly Fault[] = [
  {
    name: 'a count leaves the device before it is answered',
    file: 'offline/outbox.ts',
    from: 'answers = await this.queue.send(batch);',
    to: `${FORGET_ALL} answers = await this.queue.send(batch);`,
  },
  {
    name: 'a refused request ends a count',
    file: 'offline/outbox.ts',
    from: 'if (!tooMuch) {',
    to: `if (status >= 400 && status < 500 && !tooMuch) { ${FORGET_ALL} return; } if (!tooMuch) {`,
  },
  {
    name: 'a count has no second copy',
    file: 'offline/outbox.ts',
    from: "const mirrored = this.#ports.mirror.put(this.queue.pendingKey + id, record);\n    if (place === 'nowhere'",
    to: "const mirrored = place !== 'disk' && this.#ports.mirror.put(this.queue.pendingKey + id, record);\n    if (place === 'nowhere'",
  },
  {
    name: 'numbers begin again with a page',
    file: 'offline/disk.ts',
    from: 'const device = known ?? { id: this.#newDevice(), seq: 0 };\n      const [key, value]',
    to: `const own = globalThis as unknown as { drawn?: number };
      const device = { id: known?.id ?? this.#newDevice(), seq: own.drawn ?? 0 };
      own.drawn = device.seq + numbers;
      const [key, value]`,
  },
  {
    name: 'a count is said to be saved before it is',
    file: 'offline/disk.ts',
    from: '    await ended;\n',
    to: '',
  },
  {
    name: 'a count gets a new name each time it is sent',
    file: 'features/stores/count/countQueue.ts',
    from: '          ...entry,\n',
    to: `          ...entry,
          seq: entry.seq + Math.floor(performance.now() % 1000),
          op: \`\${deviceId}:\${entry.seq + Math.floor(performance.now() % 1000)}\`,
`,
  },
  {
    name: 'a count without room on the disk is given up',
    file: 'offline/outbox.ts',
    from: "    this.#add(id, record, place);\n    return { id, record, place };\n  }\n\n  /** For a page",
    to: "    if (place === 'disk') this.#add(id, record, place);\n    return { id, record, place };\n  }\n\n  /** For a page",
  },
  {
    name: 'folding records forgets some of them',
    file: 'offline/recordStore.ts',
    from: 'const record = this.#queue.join(members.map(([, one]) => one));',
    to: 'const record = this.#queue.join(members.slice(1).map(([, one]) => one));',
  },
  {
    name: 'a count is finished before all of it was sent',
    file: 'features/stores/count/finishCount.ts',
    from: 'if (!(await hasUnsentEntries(scope))) {',
    to: 'if (await Promise.resolve(true)) {',
  },
  {
    name: 'a proxy that refuses ends a request to finish',
    file: 'features/stores/count/finishCount.ts',
    from: 'return worded && status >= 400',
    to: 'return status >= 200',
  },
  {
    name: 'a count names its author only if this page has seen the change of user',
    file: 'features/stores/count/countQueue.ts',
    from: 'const by = uid === UNKNOWN_USER ?',
    to: "const by = uid === UNKNOWN_USER || queries.getQueryData<{ user: { uid: string } }>(['me'])?.user.uid === uid ?",
    seed: 19,
  },
  {
    name: 'rows show counts in the order of the clock',
    file: 'features/stores/count/countModel.ts',
    from: '!made.some(([other]) => follows(other, one))',
    to: '!made.includes(one as never)',
    seed: 9,
  },
];
