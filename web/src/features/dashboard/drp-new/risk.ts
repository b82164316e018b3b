export type Level = 'unknown' | 'out' | 'low' | 'enough';

/** How a day's stock is marked; a sign beside the colour, for those who do not see it. */
export const LEVELS: Readonly<Record<Level, { label: string; sign: string }>> = {
  out: { label: 'Nothing left', sign: '✕' },
  low: { label: 'Gone the next day', sign: '!' },
  enough: { label: 'Enough', sign: '' },
  unknown: { label: 'Never counted', sign: '–' },
};

/** What a day's stock means, looking at the next day's. */
export function coverLevel(
  value: number | null | undefined,
  next: number | null | undefined,
): Level {
  if (value === null || value === undefined) return 'unknown';
  if (value <= 0) return 'out';
  return next !== null && next !== undefined && next <= 0 ? 'low' : 'enough';
}
