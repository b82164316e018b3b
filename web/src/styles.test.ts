import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = import.meta.dirname;
const files = readdirSync(src, { recursive: true })
  .map(String)
  .filter((file) => /\.(css|tsx?)$/.test(file) && !/\.test\.tsx?$|schema\.gen/.test(file))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }));

/** The console's own variables are set in CSS, in a style object or by `setProperty`; Mantine sets its own. */
const set = new Set(
  files.flatMap(({ text }) =>
    [...text.matchAll(/(--[\w-]+)(?=['"`]?\]?\s*[:,]|['"`] as)/g)].map(([, name]) => name),
  ),
);

describe('styles', () => {
  it('use no undefined variable', () => {
    const unknown = files.flatMap(({ file, text }) =>
      [...text.matchAll(/var\((--(?!mantine-)[\w-]+)\)/g)].flatMap(([, name]) =>
        set.has(name) ? [] : [`${name} in ${file}`],
      ),
    );
    expect(unknown).toEqual([]);
  });
});
