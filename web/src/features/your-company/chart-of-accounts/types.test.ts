import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SECTIONS, TYPES } from './types';

const rules = join(import.meta.dirname, '../../../../../crates/domain/src/account.rs');

it("has the server's types and detail types", () => {
  const source = readFileSync(rules, 'utf8');
  const table = source.slice(
    source.indexOf('pub const TYPES'),
    source.indexOf('pub const TYPE_NAMES'),
  );
  const theirs = [
    ...table.matchAll(
      /name: "([^"]+)",\s*classification: "([^"]+)",\s*details: &\[([\s\S]*?)\],?\s*\}/g,
    ),
  ].map(([, name, classification, details = '']) => ({
    name,
    classification,
    details: [...details.matchAll(/"([^"]+)"/g)].map(([, detail]) => detail),
  }));
  expect(theirs.length).toBeGreaterThan(10);
  expect(TYPES).toEqual(theirs);
});

it('gives every type a section', () => {
  const known = new Set<string>(SECTIONS.map(({ classification }) => classification));
  expect(TYPES.every(({ classification }) => known.has(classification))).toBe(true);
});
