// What a till was taught, and how its settings are sent.

import type { ZTerminalRow } from './api';
import { fieldOfSeen } from './fields';

/** A till's taught layout, as OCR stores it. */
interface Template {
  labels?: Record<string, string[]>;
  absent?: string[];
}

export interface Taught {
  /** Its own words, each with its field. */
  words: { label: string; seen: string; field: string }[];
  /** Fields it does not print. */
  absent: { seen: string; field: string }[];
}

const nameOf = (seen: string) => fieldOfSeen(seen)?.label ?? seen;

/** A line's label without its figure: «Beg. SI No: 00703235» → «Beg. SI No». */
export const labelIn = (line: string) =>
  line
    .replace(/[\s:#=.-]*[-₱P]?\d[\d,. -]*$/, '')
    .replace(/[\s:#=-]+$/, '')
    .trim();

/** A till's template in the form's labels. */
export function taughtOf({ template }: Pick<ZTerminalRow, 'template'>): Taught {
  const { labels = {}, absent = [] } = (template ?? {}) as Template;
  const words = Object.entries(labels).flatMap(([seen, all]) =>
    all.map((label) => ({ label, seen, field: nameOf(seen) })),
  );
  return { words, absent: absent.map((seen) => ({ seen, field: nameOf(seen) })) };
}

/** The template without one word or unprinted field; null if nothing is left. */
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
