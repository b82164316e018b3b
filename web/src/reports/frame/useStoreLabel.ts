import { useNameOf } from '#/api/names';
import { plural } from '#/ui/format';
import type { Filters } from '../api';

/** The chosen stores as text, for paper. */
export function useStoreLabel({
  storeIds,
  areaIds,
}: Pick<Filters, 'storeIds' | 'areaIds'>): string {
  const nameOf = useNameOf('stores', storeIds.length > 0);
  const some =
    storeIds.length === 0
      ? 'All stores'
      : storeIds.length <= 4
        ? storeIds.map((id) => nameOf.get(id)?.name ?? id).join(', ')
        : plural(storeIds.length, 'store');
  return areaIds.length ? `${some} in ${plural(areaIds.length, 'area')}` : some;
}
