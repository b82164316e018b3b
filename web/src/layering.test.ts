import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What each folder may import; every folder may import files beside them, such as `paths` and `records`. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  app: ['features', 'reports', 'offline', 'table', 'help', 'ui', 'api'],
  features: [
    ...['reports', 'imports', 'connectors', 'stock', 'documents', 'lists', 'history'],
    ...['offline', 'table', 'grid', 'form', 'charts', 'ui', 'api'],
  ],
  reports: ['table', 'charts', 'ui', 'api'],
  imports: ['table', 'form', 'ui', 'api'],
  connectors: ['form', 'ui', 'api'],
  stock: ['documents', 'table', 'charts', 'ui', 'api'],
  documents: ['history', 'table', 'grid', 'form', 'ui', 'api'],
  lists: ['history', 'table', 'form', 'ui', 'api'],
  history: ['form', 'ui', 'api'],
  offline: ['ui', 'api'],
  table: ['ui', 'api'],
  grid: ['ui'],
  form: ['ui', 'api'],
  charts: ['ui'],
  help: [],
  ui: ['api'],
  api: [],
};

const src = import.meta.dirname;
const tree = new Map(
  readdirSync(src, { recursive: true })
    .map(String)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|schema\.gen/.test(file))
    .map((file) => [file, readFileSync(join(src, file), 'utf8')]),
);

interface Arrow {
  from: string;
  to: string;
}

function arrowsOf(files: ReadonlyMap<string, string>): Arrow[] {
  return [...files].flatMap(([file, text]) => {
    const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(#\/|\.{1,2}\/)([^']+)'/g)];
    return found.map(([, kind, path]) => ({
      from: file,
      to: kind === '#/' ? `${path}` : join(file, '..', kind === './' ? `${path}` : `../${path}`),
    }));
  });
}

/** The folder of a file below `src`; empty for those beside the folders. */
const layer = (path: string) => (path.includes('/') ? (path.split('/')[0] ?? '') : '');

/** Imports of a folder that are not allowed. */
const forbidden = (files: ReadonlyMap<string, string>): Arrow[] =>
  arrowsOf(files).filter(({ from, to }) => {
    const [above, below] = [layer(from), layer(to)];
    return above !== '' && below !== '' && above !== below && !MAY[above]?.includes(below);
  });

/** Imports of one feature from another. */
function crossing(files: ReadonlyMap<string, string>): Arrow[] {
  // A feature is a folder with a page; files in the folders above it belong to its section.
  const pages = [...files.keys()].filter((file) => file.endsWith('page.tsx')).map(dirname);
  const feature = (path: string) =>
    pages
      .filter((folder) => path.startsWith(`${folder}/`))
      .sort((a, b) => b.length - a.length)[0] ?? dirname(path);
  return arrowsOf(files).filter(({ from, to }) => {
    if (layer(from) !== 'features' || layer(to) !== 'features') return false;
    return !`${feature(from)}/`.startsWith(`${feature(to)}/`);
  });
}

describe('layering', () => {
  it('names every folder', () => {
    const folders = readdirSync(src, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
      .map(({ name }) => name);
    expect(Object.keys(MAY).sort()).toEqual(folders.sort());
  });

  it('has no cycle', () => {
    const seen: string[] = [];
    for (const folder of Object.keys(MAY).reverse()) {
      expect(MAY[folder]?.filter((below) => !seen.includes(below))).toEqual([]);
      seen.push(folder);
    }
  });

  it('sees the imports, and allows none that is not used', () => {
    const arrows = arrowsOf(tree);
    const used = (above: string) => (below: string) =>
      arrows.some(({ from, to }) => layer(from) === above && layer(to) === below);
    const unused = Object.entries(MAY).flatMap(([above, below]) =>
      below.filter((one) => !used(above)(one)).map((one) => `${above} -> ${one}`),
    );
    expect(arrows.length).toBeGreaterThan(200);
    expect(unused).toEqual([]);
  });

  it('allows only listed imports', () => {
    expect(forbidden(tree)).toEqual([]);
  });

  it('keeps features from importing each other', () => {
    expect(crossing(tree)).toEqual([]);
  });
});

describe('an inserted import', () => {
  it.each(Object.keys(MAY))('is found in %s for every forbidden target', (above) => {
    const targets = Object.keys(MAY).filter(
      (below) => below !== above && !MAY[above]?.includes(below),
    );
    for (const below of targets) {
      const written = [
        `import { x } from '#/${below}/x';`,
        `import type { X } from '../../${below}/deep/x';`,
        `const x = () => import('#/${below}/x');`,
      ];
      for (const line of written) {
        expect(forbidden(new Map([[`${above}/deep/put-in.ts`, line]])), line).toHaveLength(1);
      }
    }
    expect(targets.length > 0 || above === 'app').toBe(true);
  });

  it('is found between two features', () => {
    const files = new Map([
      ['features/a/page.tsx', "import { x } from '../b/x';"],
      ['features/a/id/x.ts', "import { x } from '../x';"],
      ['features/b/page.tsx', "import { x } from '#/features/section';"],
      ['features/c/deep/page.tsx', "import { x } from '#/features/b/x';"],
    ]);
    expect(crossing(files).map(({ to }) => to)).toEqual(['features/b/x', 'features/b/x']);
  });
});
