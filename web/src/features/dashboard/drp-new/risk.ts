export type Level = 'unknown' | 'out' | 'low' | 'enough';

/** The mark of a day's stock; a sign besides the colour, for colour-blind users. */
export const LEVELS: Readonly<Record<Level, { label: string; sign: string }>> = {
  out: { label: 'Nothing left', sign: '✕' },
  low: { label: 'Gone the next day', sign: '!' },
  enough: { label: 'Enough', sign: '' },
  unknown: { label: 'Never counted', sign: '–' },
};

/** A day's stock level, considering the next day. */
export function coverLevel(
  value: number | null | undefined,
  next: number | null | undefined,
): Level {
  if (value === null || value === undefined) return 'unknown';
  if (value <= 0) return 'out';
  return next !== null && next !== undefined && next <= 0 ? 'low' : 'enough';
}
