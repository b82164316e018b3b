// Sources of a day that do not count, because another one reports the same sales.
import type { SalesDay } from '../types';

type Source = SalesDay['sources'][number] & { countedSource?: string | null };

const NAMES: Readonly<Record<string, string>> = {
  file: 'a file',
  api: 'the sales API',
  w3p: 'W3P',
  bigquery: 'BigQuery',
  ocr: 'Z-readings',
};

const nameOf = (source: string) => NAMES[source] ?? source;

/** The sources whose sales count nowhere. */
export function leftOut(data: SalesDay): ReadonlySet<string> {
  const sources: readonly Source[] = data.sources;
  return new Set(sources.filter((one) => one.countedSource).map((one) => one.source));
}

/** “Sales from a file are not counted: the same ones came from W3P.” for each source left out. */
export function leftOutWords(data: SalesDay): string[] {
  const sources: readonly Source[] = data.sources;
  return sources.flatMap(({ source, countedSource }) =>
    countedSource
      ? [
          `Sales from ${nameOf(source)} are not counted: the same ones came from ${nameOf(countedSource)}.`,
        ]
      : [],
  );
}
