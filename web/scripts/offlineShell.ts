// Builds the service worker beside the console and tells it which files a start without a network
// needs. A plugin of our own: the list follows from what the build has just made.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

interface Options {
  /** The worker's source. */
  worker: string;
  /** Modules that must be there without a network, beside the page's own; parts of their paths. */
  needs: readonly string[];
  /** Files of the public folder that the page asks for. */
  files: readonly string[];
}

type Chunk = Rolldown.OutputChunk & {
  viteMetadata?: { importedCss: Set<string>; importedAssets: Set<string> };
};

/** Letters that nobody here writes in are fetched when they are met. */
const RARE_FONT = /-(cyrillic|greek|vietnamese|latin-ext|cyrillic-ext|greek-ext)-/;

export function offlineShell({ worker, needs, files }: Options): Plugin {
  return {
    name: 'offline-shell',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (!dir) return;
      const outputs = Object.values(bundle);
      const code = outputs.filter((one): one is Chunk => one.type === 'chunk');
      const first = new Set<string>();
      const take = (chunk: Chunk | undefined): void => {
        if (!chunk || first.has(chunk.fileName)) return;
        first.add(chunk.fileName);
        for (const name of chunk.viteMetadata?.importedCss ?? []) first.add(name);
        for (const name of chunk.viteMetadata?.importedAssets ?? []) first.add(name);
        for (const name of chunk.imports) take(code.find((one) => one.fileName === name));
      };
      for (const chunk of code) {
        const modules = [chunk.facadeModuleId ?? '', ...(chunk.moduleIds ?? [])];
        const needed = modules.some((id) => needs.some((part) => id.includes(part)));
        if (chunk.isEntry || needed) take(chunk);
      }
      // A style's fonts are no part of the chunk that brings the style.
      for (const { fileName } of outputs) {
        if (/\.woff2$/.test(fileName) && !RARE_FONT.test(fileName)) first.add(fileName);
      }
      const rest = outputs
        .map(({ fileName }) => fileName)
        .filter((name) => /^assets\/.*\.(js|css)$/.test(name) && !first.has(name));
      const path = (name: string) => `/${name}`;
      const lists = {
        first: [...files, ...[...first].map(path)].sort(),
        rest: rest.map(path).sort(),
      };
      const hash = createHash('sha256').update(JSON.stringify(lists));
      for (const file of [worker, ...['index.html', ...files].map((name) => join(dir, name))]) {
        hash.update(readFileSync(file));
      }
      const known = { version: hash.digest('hex').slice(0, 16), ...lists };
      writeFileSync(join(dir, 'sw.js'), await script(worker, known));
    },
  };
}

/** The worker as one plain script that knows its list. */
async function script(worker: string, known: object): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { __BUILD__: JSON.stringify(known) },
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: { input: worker, output: { format: 'iife' } },
    },
  });
  const [output] = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  if (output?.type !== 'chunk') throw new Error('the service worker was not built');
  return output.code;
}
