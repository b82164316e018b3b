// The server's question when a step takes more from a store than Larder expects there, or takes in a recalled lot.
import type { Problem } from '#/api/problem';

/** A line that takes more than is expected. */
export interface BeyondLine {
  /** The field of its quantity or lot. */
  field: string;
  name: string;
  asked: number;
  askedUnit: string;
  expected: number;
  unit?: string | null;
  /** Set if it is more than can be left of this lot. */
  lot?: string | null;
}

export interface Beyond {
  /** The question as one sentence, about the first line. */
  question: string;
  lines: readonly BeyondLine[];
  /** Whether it is about recalled lots that come in. */
  recalled?: true;
}

const CODE = 'moreThanExpected';
const RECALLED = 'recalledArrives';

/** The button that takes in a recalled lot. */
export const TAKE_IN = 'Take it in';

function isLine(value: unknown): value is BeyondLine {
  const { field, name, asked, expected } = (value ?? {}) as Partial<BeyondLine>;
  return (
    typeof field === 'string' &&
    typeof name === 'string' &&
    typeof asked === 'number' &&
    typeof expected === 'number'
  );
}

/** The question; null if the problem is another one. */
export function beyondOf({ code, message, fields, extras }: Problem): Beyond | null {
  if (code === RECALLED) {
    const words = [...new Set(fields.map((field) => field.message))].join(' ');
    return { question: words || message, lines: [], recalled: true };
  }
  if (code !== CODE) return null;
  const { lines } = extras;
  return { question: message, lines: Array.isArray(lines) ? lines.filter(isLine) : [] };
}

/** Whether it is such a question, as a device keeps it: it may have been written by an older version. */
export function isBeyond(value: unknown): value is Beyond {
  const { question, lines } = (value ?? {}) as Partial<Beyond>;
  return typeof question === 'string' && Array.isArray(lines) && lines.every(isLine);
}

/** The step's body with the user's answer. */
export const answered = <B extends object>(body: B, reason: string) => ({
  ...body,
  anyway: true,
  reason,
});
