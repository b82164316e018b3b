// Where imported sales came from, in the words of the screens.

const SOURCES: Readonly<Record<string, string>> = {
  file: 'a file',
  api: 'a till',
  w3p: 'W3P',
  bigquery: 'BigQuery',
  ocr: 'Z-readings',
};

/** A source inside a sentence, such as «a file»; its own name if it has no other. */
export const sourceName = (source: string): string => SOURCES[source] ?? source;
