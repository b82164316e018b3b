// What a till was taught, and how its settings are sent.

import type { ZTerminalRow } from './api';
import { fieldOfSeen } from './fields';

/** A till's taught layout, as the reader of pictures keeps it. */
interface Template {
  labels?: Record<string, string[]>;
  absent?: string[];
}

export interface Taught {
  /** Its own words, each with the field it stands for. */
  words: { label: string; seen: string; field: string }[];
  /** Fields it does not print. */
  absent: { seen: string; field: string }[];
}

const nameOf = (seen: string) => fieldOfSeen(seen)?.label ?? seen;

/** The words of a line without its figure: «Beg. SI No: 00703235» → «Beg. SI No». */
export const labelIn = (line: string) =>
  line
    .replace(/[\s:#=.-]*[-₱P]?\d[\d,. -]*$/, '')
    .replace(/[\s:#=-]+$/, '')
    .trim();

/** What a till's template says, in the words of the form. */
export function taughtOf({ template }: Pick<ZTerminalRow, 'template'>): Taught {
  const { labels = {}, absent = [] } = (template ?? {}) as Template;
  const words = Object.entries(labels).flatMap(([seen, all]) =>
    all.map((label) => ({ label, seen, field: nameOf(seen) })),
  );
  return { words, absent: absent.map((seen) => ({ seen, field: nameOf(seen) })) };
}

/** The template without a word, or without a field that is not printed; null where nothing is left of it. */
export function without(
  { template }: Pick<ZTerminalRow, 'template'>,
  gone: { label?: string; seen: string },
): Record<string, unknown> | null {
  const old = (template ?? {}) as Template & Record<string, unknown>;
  const labels = Object.fromEntries(
    Object.entries(old.labels ?? {})
      .map(([seen, all]): [string, string[]] => [
        seen,
        seen === gone.seen ? all.filter((label) => label !== gone.label) : all,
      ])
      .filter(([, all]) => all.length > 0),
  );
  const absent = (old.absent ?? []).filter(
    (seen) => gone.label !== undefined || seen !== gone.seen,
  );
  if (Object.keys(labels).length === 0 && absent.length === 0) return null;
  return { ...old, labels, absent };
}
