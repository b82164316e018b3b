import type { Problem } from '#/api/problem';
import type { Definition } from './types';

/** The parts of the builder that show a refusal. */
export type ReportPart = 'about' | 'rows' | 'columns' | 'measures' | 'filters' | 'order';

/** The part of each member of a definition that is not one itself. */
const PARTS: Readonly<Record<string, ReportPart>> = {
  rows: 'rows',
  columns: 'columns',
  measures: 'measures',
  filters: 'filters',
  sort: 'order',
  top: 'order',
};

/**
 * The part that shows the error of a field, named as by the server: `measures.2.rule`, also below `definition`. Fields
 * without a part of their own are shown with the dataset.
 */
export function partOf(field: string): ReportPart {
  return PARTS[field.replace(/^definition\./, '').split('.')[0] ?? ''] ?? 'about';
}

/** Why a part of a definition was refused; undefined if it was not. Errors of a line begin with its place. */
export function errorOfPart(
  problem: Pick<Problem, 'fields'> | null,
  definition: Pick<Definition, 'measures' | 'filters'>,
  part: ReportPart,
): string | undefined {
  const lines = part === 'measures' || part === 'filters' ? definition[part].length : 0;
  const found = (problem?.fields ?? [])
    .filter(({ field }) => partOf(field) === part)
    .map(({ field, message }) => {
      const at = Number(/\.(\d+)\./.exec(`${field}.`)?.[1] ?? Number.NaN);
      return at < lines && lines > 1 ? `No. ${at + 1}: ${message}` : message;
    });
  return found.length > 0 ? found.join(' ') : undefined;
}
