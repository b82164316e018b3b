// The counting page's code as one script, from the console's sources.

import { relative, resolve } from 'node:path';
import { rolldown } from '../../../../web/node_modules/rolldown/dist/index.mjs';

const WEB = resolve(import.meta.dirname, '../../../../web/src');

/** A change to the sources that must make the simulation fail. */
export interface Fault {
  name: string;
  /** Below web/src. */
  file: string;
  from: string;
  to: string;
  /** A seed that finds it; the ones after it are tried, too. */
  seed?: number;
}

/** Builds the script, with a fault if one is given. */
export async function pageScript(fault?: Fault): Promise<string> {
  let planted = false;
  const bundle = await rolldown({
    input: resolve(import.meta.dirname, 'page.ts'),
    platform: 'browser',
    resolve: { alias: { '#': WEB } },
    transform: { define: { 'process.env.NODE_ENV': '"production"', 'import.meta.env': '{}' } },
    // Directives for servers that render React mean nothing here.
    onLog: (level, log, print) => log.code === 'MODULE_LEVEL_DIRECTIVE' || print(level, log),
    plugins: [
      {
        name: 'fault',
        transform(code, id) {
          if (!fault || relative(WEB, id) !== fault.file) return null;
          if (code.split(fault.from).length !== 2) throw new Error(`«${fault.from}» is not once in ${fault.file}`);
          planted = true;
          return code.replace(fault.from, () => fault.to);
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'iife', codeSplitting: false });
  await bundle.close();
  if (fault && !planted) throw new Error(`${fault.file} is no part of the page`);
  return output[0].code;
}
