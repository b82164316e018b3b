import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Ids of other systems, which users type as they are. */
const ELSEWHERE = [
  'netsuiteLocationInternalId',
  'netsuiteClassInternalId',
  'netsuiteCustomerId',
  'netsuiteCustomerInternalId',
  'terminalId',
  'rootProductId',
  'posItemId',
  'taxId',
];

const src = import.meta.dirname;
const files = readdirSync(src, { recursive: true })
  .map(String)
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|schema\.gen/.test(file));

/** Every form field with free text: `kind` and `name` come in any order. */
const typed = files.flatMap((file) => {
  const text = readFileSync(join(src, file), 'utf8');
  const found = [
    ...text.matchAll(/kind: '(text|long)',\s*name: '(\w+)'/g),
    ...text.matchAll(/name: '(\w+)',\s*label: '[^']*',\s*kind: '(text)'/g),
  ];
  return found.map((match) => {
    const name = match[1] === 'text' || match[1] === 'long' ? match[2] : match[1];
    return `${file} ${name}`;
  });
});

describe('references', () => {
  it('include the fields of forms', () => {
    expect(typed.length).toBeGreaterThan(80);
  });

  it('are chosen and shown by name, never typed as an id', () => {
    const ids = typed.filter((one) => /(Id|Uid)$/.test(one));
    expect(ids.filter((one) => !ELSEWHERE.includes(one.split(' ')[1] ?? ''))).toEqual([]);
  });
});
