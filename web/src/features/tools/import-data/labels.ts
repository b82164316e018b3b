import { kindOfSlug } from '#/records';
import { count, plural } from '#/ui/format';
import type { ImportList, Summary } from './types';

/** «Units of measure» → «units of measure»; «POS items» stays. */
export const inSentence = (label: string) =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

/** 1 product, 19,874 products. */
export const counted = (n: number, list: Pick<ImportList, 'one' | 'label'>) =>
  plural(n, list.one, inSentence(list.label));

/** The kind of record that a list holds. */
export const kindOf = (slug: string): string => kindOfSlug(slug) ?? slug;

/** How many rows create or change a record. */
export const writes = ({ created, updated }: Summary) => created + updated;

/** The outcome of an import, in one line. */
export function outcomeLabel({ created, updated, unchanged, failed }: Summary): string {
  const parts = [
    created > 0 && `${count(created)} new`,
    updated > 0 && `${count(updated)} changed`,
    unchanged > 0 && `${count(unchanged)} unchanged`,
    failed > 0 && plural(failed, 'problem'),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'no rows';
}
