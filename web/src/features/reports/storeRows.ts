// Rows that are stores, or areas, regions and formats of several: the choice, and the links from a group to its stores.
import { to } from '#/paths';
import type { Choices } from '#/reports/choices';
import type { ReportState } from '#/reports/question/useReport';
import { plural } from '#/ui/format';

export type By = 'store' | 'area' | 'region' | 'format';

const THINGS: Record<By, [string, string]> = {
  store: ['store', 'stores'],
  area: ['area', 'areas'],
  region: ['region', 'regions'],
  format: ['format', 'formats'],
};

export const things = ({ by }: { by: By }) => THINGS[by];

export const byChoice: Choices<{ by: By }> = {
  by: {
    label: 'Rows',
    asked: 'always',
    clears: ['focus', 'cell', 'sort'],
    options: [
      { value: 'store', label: 'Stores' },
      { value: 'area', label: 'Areas' },
      { value: 'region', label: 'Regions' },
      { value: 'format', label: 'Formats' },
    ],
  },
};

/** A group's stores, one row each. */
export function openStores(state: ReportState, storeIds: readonly string[]): void {
  const [stores, areas] = [storeIds.join(','), null];
  state.set({ by: null, stores, areas, cell: null, q: null, focus: null }, true);
}

/** Opens what a store sold, by product, over the same days. */
export function salesOf(state: ReportState): ((row: { id: string }) => void) | undefined {
  const open = state.leadTo('reportProductSalesByStore');
  const { from, to: until } = state.range;
  return (
    open &&
    (({ id }) => open(to('reportProductSalesByStore', null, { from, to: until, stores: id })))
  );
}

/** The label of a row's bar, with its store below it where the rows are of several. */
export function barLabel(
  { name, storeName }: { name: string; storeName: string },
  rows: readonly { storeName: string }[],
): { label: string; sub?: string } {
  const several = rows.some((row) => row.storeName !== rows[0]?.storeName);
  return { label: name, ...(several && { sub: storeName }) };
}

/** «Makati, Pasig and 3 more stores» */
export function storeLabel(stores: readonly { name: string }[], most = 3): string {
  const names = stores.slice(0, most).map(({ name }) => name);
  const rest = stores.length - names.length;
  if (rest > 0) return `${names.join(', ')} and ${plural(rest, 'more store', 'more stores')}`;
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
}
