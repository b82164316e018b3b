import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const src = join(import.meta.dirname, '..');
const dialogs = readdirSync(src, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }))
  .filter(({ text }) => /<Modal\b/.test(text));

/** These only show something, or choose with Enter themselves. */
const NOTHING_TO_CONFIRM = [
  'app/shell/Help.tsx',
  'app/shell/Search.tsx',
  'documents/Photos.tsx',
  'ui/Scan.tsx',
];

const lacking = (part: RegExp) =>
  dialogs.filter(({ text }) => !part.test(text)).map(({ file }) => file);

it('gives the focus back from every dialog', () => {
  expect(dialogs.length).toBeGreaterThan(10);
  expect(lacking(/\buseReturnFocus\(/)).toEqual([]);
});

it('confirms every dialog with Enter', () => {
  const without = lacking(/\bconfirmKeys\(|\bonSubmit=/);
  expect(without.toSorted()).toEqual(NOTHING_TO_CONFIRM);
});

it('leaves every dialog with Escape', () => {
  const kept = dialogs.filter(({ text }) => /closeOnEscape=\{false\}/.test(text));
  expect(kept.map(({ file }) => file)).toEqual([]);
  expect(lacking(/\bonClose=/)).toEqual([]);
});
