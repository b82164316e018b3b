import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Arrows run one way: a layer may import those after it. `paths` and `records` are known to all. */
const LAYERS = [
  'app',
  'features',
  'reports',
  'imports',
  'connectors',
  'lists',
  'history',
  'offline',
  'table',
  'form',
  'charts',
  'ui',
  'api',
] as const;
/** Beside each other: none of these may know another. */
const BESIDE: Record<string, readonly string[]> = {
  reports: ['imports', 'lists', 'history', 'offline'],
  offline: ['table', 'form', 'charts'],
  table: ['form', 'charts'],
  form: ['charts'],
};

const src = join(import.meta.dirname, '.');
const files = readdirSync(src, { recursive: true })
  .map(String)
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|schema\.gen/.test(file));

interface Arrow {
  from: string;
  to: string;
}

const arrows: Arrow[] = files.flatMap((file) => {
  const text = readFileSync(join(src, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(#\/|\.{1,2}\/)([^']+)'/g)];
  return found.map(([, kind, path]) => ({
    from: file,
    to: kind === '#/' ? `${path}` : join(file, '..', kind === './' ? `${path}` : `../${path}`),
  }));
});

const layer = (path: string) => path.split('/')[0] ?? '';
const rank = (path: string) => LAYERS.indexOf(layer(path) as (typeof LAYERS)[number]);

describe('layering', () => {
  it('sees the imports', () => {
    expect(arrows.length).toBeGreaterThan(200);
  });

  it('lets imports run only downwards', () => {
    const upwards = arrows.filter(({ from, to }) => {
      const [above, below] = [rank(from), rank(to)];
      if (above < 0 || below < 0) return false;
      return below < above || BESIDE[layer(from)]?.includes(layer(to));
    });
    expect(upwards).toEqual([]);
  });

  it('keeps features from importing each other', () => {
    // A feature is a folder with a page; what lies in the folders above it is its section's.
    const pages = files.filter((file) => file.endsWith('page.tsx')).map((file) => dirname(file));
    const feature = (path: string) =>
      pages
        .filter((folder) => path.startsWith(`${folder}/`))
        .sort((a, b) => b.length - a.length)[0] ?? dirname(path);
    const crossing = arrows.filter(({ from, to }) => {
      if (layer(from) !== 'features' || layer(to) !== 'features') return false;
      return !`${feature(from)}/`.startsWith(`${feature(to)}/`);
    });
    expect(crossing).toEqual([]);
  });
});
