import type { Tile } from './api';

/** The names with one of them moved. */
export function moved(names: readonly string[], name: string, to: number): string[] {
  const others = names.filter((other) => other !== name);
  const at = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, at), name, ...others.slice(at)];
}

/** Overdue, then tasks, then information, then empty tiles. */
export function urgency({ waiting, failed }: Tile): 0 | 1 | 2 | 3 {
  if (!waiting) return failed ? 3 : 2;
  if (waiting.late > 0) return 0;
  return waiting.count > 0 ? 1 : 3;
}

/** The tiles by urgency, otherwise in their order. */
export function byUrgency(tiles: readonly Tile[]): Tile[] {
  return [...tiles].sort((a, b) => urgency(a) - urgency(b));
}

/** The change as a share of `before`. */
export function changeOf(now: number, before: number | null | undefined): number | null {
  return before ? now / before - 1 : null;
}
