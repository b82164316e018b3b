// Texts about the effect of special days on sales.
import { change, percent, plural } from '#/ui/format';
import type { ForecastEvent } from './forecastApi';

/** A factor in words: 1.34 is 34% more. */
export function factorLabel(factor: number | null | undefined): string {
  if (factor == null) return 'not known yet';
  if (factor === 0) return 'nothing';
  const apart = Math.round(Math.abs(factor - 1) * 100);
  if (apart === 0) return 'as usual';
  return factor > 1 ? `${percent(factor - 1, 0)} more` : `${percent(1 - factor, 0)} less`;
}

/** The effective factor: set by hand, else zero for a closed day, else learned. */
export function factorOf({ kind, factor, learned }: ForecastEvent): number | null {
  if (kind === 'closure') return 0;
  return factor == null ? (learned?.factor ?? null) : Number(factor);
}

/** The data behind a learned factor. */
export function evidence({ kind, learned }: Pick<ForecastEvent, 'kind' | 'learned'>): string {
  if (kind === 'closure') return 'A closed store sells nothing.';
  if (!learned || learned.days === 0) return 'No such day has sales yet, so nothing was learned.';
  const raw = learned.base > 0 ? learned.actual / learned.base : learned.factor;
  const seen = change(raw - 1, 0);
  const few = seen === change(learned.factor - 1, 0) ? '' : 'only ';
  return `Seen ${seen} on ${few}${plural(learned.days, 'day')}.`;
}
