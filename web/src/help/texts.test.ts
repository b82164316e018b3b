import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type PageKey, pages, spec } from '#/paths';
import { keySets } from './keys';
import { texts } from './texts';

/** The longest text of what a page is for, and of a thing to do there, in characters. */
const MOST = { what: 170, todo: 90 };

/** The texts of the console, without the help. */
const src = join(import.meta.dirname, '..');
const said = readdirSync(src, { recursive: true })
  .map(String)
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\.gen\.|^help\//.test(file))
  .map((file) => readFileSync(join(src, file), 'utf8'))
  .join('\n');

const built = (Object.keys(pages) as PageKey[]).filter((key) => spec(key).built === true);

describe('help', () => {
  it('has a text for every page, and none for others', () => {
    expect(built.length).toBeGreaterThan(80);
    expect(Object.keys(texts).sort()).toEqual([...built].sort());
  });

  it.each(Object.entries(texts))('of %s is short whole sentences', (_, { what, todo, keys }) => {
    expect(what.length).toBeGreaterThan(20);
    expect(what.length).toBeLessThanOrEqual(MOST.what);
    expect(what.match(/[.?](?= |$)/g)?.length).toBeLessThanOrEqual(2);
    expect(new Set(todo).size).toBe(3);
    for (const text of [what, ...todo]) expect(text).toMatch(/^[A-Z].*[.?]$/);
    for (const one of todo) {
      expect(one.length).toBeGreaterThan(10);
      expect(one.length).toBeLessThanOrEqual(MOST.todo);
    }
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('names only what is on the screen', () => {
    const named = Object.values(texts).flatMap(({ what, todo }) =>
      [what, ...todo].flatMap((text) => [...text.matchAll(/«([^»]+)»/g)].map(([, name]) => name)),
    );
    expect(named.length).toBeGreaterThan(60);
    const missing = named.filter((name) => !new RegExp(`[>'"\`\\s]${name}[<'"\`\\s:]`).test(said));
    expect(missing).toEqual([]);
  });

  it('uses every set of keys', () => {
    const used = new Set(Object.values(texts).flatMap(({ keys }) => keys));
    expect([...used].sort()).toEqual(Object.keys(keySets).sort());
  });
});
