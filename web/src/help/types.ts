import type { KeySet } from './keys';

/** What «?» says about a page. */
export interface PageHelp {
  /** What the page is for, in one or two sentences. */
  readonly what: string;
  /** Things to do there, the most usual first. */
  readonly todo: readonly [string, string, string];
  /** Its keys, beside those of every page. */
  readonly keys: readonly KeySet[];
}

export function help(what: string, todo: PageHelp['todo'], keys: readonly KeySet[] = []): PageHelp {
  return { what, todo, keys };
}
