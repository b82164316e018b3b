// Sources of a day that do not count, because another one reports the same sales.
import { sourceName } from '#/salesSources';
import type { SalesDay } from '../types';

/** The sources whose sales count nowhere. */
export function leftOut(data: SalesDay): ReadonlySet<string> {
  return new Set(data.sources.filter((one) => one.countedSource).map((one) => one.source));
}

/** “Sales from a file are not counted: the same ones came from W3P.” for each source left out. */
export function leftOutWords(data: SalesDay): string[] {
  return data.sources.flatMap(({ source, countedSource }) =>
    countedSource
      ? [
          `Sales from ${sourceName(source)} are not counted: the same ones came from ${sourceName(countedSource)}.`,
        ]
      : [],
  );
}
