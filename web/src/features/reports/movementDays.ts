// The documents, sales and counts behind a figure, by day.
import type { components } from '#/api/schema.gen';
import type { FigureKey } from './movement';

type Schemas = components['schemas'];
export type Parts = Schemas['MovementParts'];
export type MovementDocument = Schemas['MovementDocument'];
export type MovementCount = Schemas['MovementCount'];

/** A day with its details. */
export interface ToldDay {
  date: string;
  documents: readonly MovementDocument[];
  counts: readonly MovementCount[];
  /** Theoretical use; null if not shown. */
  used: number | null;
  sold: number;
  posItems: number;
  /** The variance found by counts; null if not shown or unknown. */
  variance: number | null;
  closing: number | null;
}

const WAYS: Partial<Record<FigureKey, MovementDocument['way']>> = {
  received: 'received',
  transfersIn: 'transferIn',
  transfersOut: 'transferOut',
  waste: 'waste',
};

const COUNTED: readonly FigureKey[] = ['closing', 'actualUse', 'variance'];

/** The days of a figure, or all of them; days that do not affect it are left out. */
export function daysOf(parts: Parts, figure: FigureKey | null): ToldDay[] {
  if (figure === 'opening') return [];
  const way = figure && WAYS[figure];
  const withCounts = !figure || COUNTED.includes(figure);
  const withSales = !figure || figure === 'theoreticalUse' || figure === 'variance';
  const withDocuments = !figure || figure === 'actualUse' || figure === 'closing';
  return parts.days
    .map((day): ToldDay => {
      const documents = day.documents.filter((one) => withDocuments || one.way === way);
      const told = day.theoreticalUse !== 0 || day.posItems > 0;
      return {
        date: day.date,
        documents,
        counts: withCounts ? day.counts : [],
        used: withSales && told ? day.theoreticalUse : null,
        sold: day.sold,
        posItems: day.posItems,
        variance: withCounts && day.variance ? day.variance : null,
        closing: day.closing ?? null,
      };
    })
    .filter(
      ({ documents, counts, used, variance }) =>
        documents.length > 0 || counts.length > 0 || used !== null || variance !== null,
    );
}
