// Labels, signs and links of ledger entries.
import { documentType, documentTypes } from '#/documents/registry';
import type { StateLabels } from '#/documents/types';
import { type Permission, type pages, spec, to } from '#/paths';
import { sourceName } from '#/salesSources';
import { plural } from '#/ui/format';
import type { Entry, EntryKind } from './api';

interface KindLabels {
  label: string;
  states: Readonly<Record<string, StateLabels>>;
}

const DONE: StateLabels = { label: 'Posted', tone: 'ok' };

/** Entity type of an entry: a store order is an `order` in the store ledger. */
const typeOf = (kind: EntryKind) => (kind === 'order' ? 'storeOrder' : kind);

const DOCUMENTS = documentTypes
  .filter(({ ofKitchens }) => !ofKitchens)
  .map(({ kind, word, states }): [string, KindLabels] => [
    kind === 'storeOrder' ? 'order' : kind,
    { label: word, states },
  ]);

const OTHERS: Readonly<Record<'adjustment' | 'count' | 'salesDay' | 'zReading', KindLabels>> = {
  adjustment: { label: 'Adjustment', states: { posted: DONE } },
  count: {
    label: 'Count',
    states: {
      counted: { label: 'Not finished', tone: 'warn' },
      finished: { label: 'Finished', tone: 'ok' },
    },
  },
  salesDay: { label: 'Sales day', states: { posted: DONE } },
  zReading: {
    label: 'Z-reading',
    states: {
      captured: { label: 'Captured', tone: 'neutral' },
      needsReview: { label: 'To review', tone: 'warn' },
      verified: { label: 'Verified', tone: 'ok' },
      reconciled: { label: 'Reconciled', tone: 'ok' },
      disputed: { label: 'Disputed', tone: 'danger' },
      discarded: { label: 'Discarded', tone: 'neutral' },
    },
  },
};

export const KINDS = Object.fromEntries([...DOCUMENTS, ...Object.entries(OTHERS)]) as Readonly<
  Record<EntryKind, KindLabels>
>;

export const stateOf = ({ kind, state }: Entry): StateLabels =>
  KINDS[kind].states[state] ?? { label: state, tone: 'neutral' };

const SESSIONS: Readonly<Record<string, string>> = {
  opening: 'Opening count',
  closing: 'Closing count',
};

/** An entry's label. */
export function nameOf(entry: Entry): string {
  switch (entry.kind) {
    case 'count':
      return SESSIONS[entry.id] ?? 'Count of the day';
    case 'salesDay':
      return `Sales from ${sourceName(entry.id)}`;
    case 'zReading':
      return entry.number ? `Z ${entry.number}` : 'Z-reading';
    case 'adjustment':
      return 'Stock adjustment';
    default:
      return entry.number ?? KINDS[entry.kind].label;
  }
}

/** Its subject, if it has no counterparty. */
export const aboutOf = ({ kind, about }: Entry): string =>
  about ? (kind === 'zReading' ? `Till ${about}` : about) : '';

/** Its size. */
export function sizeOf({ kind, lines }: Entry): string {
  if (lines == null) return '';
  if (kind === 'count') return plural(lines, 'item');
  if (kind === 'salesDay') return lines > 0 ? plural(lines, 'receipt') : 'no receipts';
  if (kind === 'zReading') return plural(lines, 'receipt');
  return plural(lines, 'line');
}

type May = (permission: Permission) => boolean;

/** An entry's link; null if the user may not open its page. */
export function hrefOf(entry: Entry, storeId: string, may: May): string | null {
  const { kind, id, date } = entry;
  const [year = '', month = '', day = ''] = date.split('-');
  const at = (page: keyof typeof pages, href: () => string) => {
    const { built, can } = spec(page);
    return built && (!can || may(can)) ? href() : null;
  };
  switch (kind) {
    case 'adjustment':
      return entry.otherKind === 'product'
        ? at('product', () => to('product', { id }))
        : at('storesInventory', () =>
            to('storesInventory', null, { store: storeId, by: 'rootItems', item: id }),
          );
    case 'count':
      return at('storesCount', () =>
        to('storesCount', null, { store: storeId, date, session: id === 'day' ? undefined : id }),
      );
    case 'salesDay':
      return (
        at('toolsImportSalesDay', () => to('toolsImportSalesDay', { storeId, year, month, day })) ??
        at('reportProductSalesByStore', () =>
          to('reportProductSalesByStore', null, { from: date, to: date, stores: storeId }),
        )
      );
    case 'zReading':
      return at('salesZReadingOne', () => to('salesZReadingOne', { id }));
    default: {
      const def = documentType(typeOf(kind));
      return def && may(def.page) ? def.href(id) : null;
    }
  }
}
