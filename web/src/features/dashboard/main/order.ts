import type { Tile } from './api';

/** The names with one of them moved. */
export function moved(names: readonly string[], name: string, to: number): string[] {
  const others = names.filter((other) => other !== name);
  const at = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, at), name, ...others.slice(at)];
}

/** How pressing a tile is; `empty` has nothing to tell. */
export type Urgency = 'urgent' | 'late' | 'tasks' | 'facts' | 'empty';

const MOST_PRESSING: readonly Urgency[] = ['urgent', 'late', 'tasks', 'facts', 'empty'];

/** Urgent, then overdue, then tasks, then information, then empty tiles. */
export function urgency({ waiting, failed }: Tile): Urgency {
  if (!waiting) return failed ? 'empty' : 'facts';
  if (waiting.urgent > 0) return 'urgent';
  if (waiting.late > 0) return 'late';
  return waiting.count > 0 ? 'tasks' : 'empty';
}

/** The tiles by urgency, otherwise in their order. */
export function byUrgency(tiles: readonly Tile[]): Tile[] {
  const rank = (tile: Tile) => MOST_PRESSING.indexOf(urgency(tile));
  return [...tiles].sort((a, b) => rank(a) - rank(b));
}

/** The change as a share of `before`. */
export function changeOf(now: number, before: number | null | undefined): number | null {
  return before ? now / before - 1 : null;
}
