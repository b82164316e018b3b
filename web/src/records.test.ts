import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordBase, recordKinds, recordPath } from './records';

const catalog = join(import.meta.dirname, '../../crates/server/src/lists/catalog');

/** The server's lists: kind and address. */
const declared = readdirSync(catalog)
  .filter((file) => file.endsWith('.rs'))
  .flatMap((file) => {
    const text = readFileSync(join(catalog, file), 'utf8');
    const found = text.matchAll(/\w+ = "(\w+)" in "\w+",\s*"[^"]+",\s*"([^"]+)"/g);
    return [...found].map(([, kind = '', base = '']) => ({ kind, base }));
  });

describe('records', () => {
  it('knows every list of the server, and where it is served', () => {
    expect(declared.length).toBeGreaterThan(20);
    const ours = Object.keys(recordKinds).map((kind) => ({ kind, base: recordBase(kind) }));
    const byKind = (a: { kind: string }, b: { kind: string }) => a.kind.localeCompare(b.kind);
    expect(ours.sort(byKind)).toEqual(declared.sort(byKind));
  });

  it('opens each where it is shown', () => {
    expect(recordPath('uom', 'a1')).toBe('/lists/uoms?open=a1');
    expect(recordPath('company', 'a1')).toBe('/lists/companies/a1');
    expect(recordPath('location', 'a/1')).toBe('/stores/locations/a%2F1');
    expect(recordPath('account', 'a1')).toBe('/your-company/chart-of-accounts?open=a1');
    expect(recordPath('nothing', 'a1')).toBeNull();
    expect(recordBase('nothing')).toBeNull();
  });
});
