import { useCallback } from 'react';
import { type Name, useNameOf, useNames } from '#/api/names';

/** The code of a unit, or its name where it has none. */
export function useUnitName(): (unit: string | undefined) => string {
  const uoms = useNameOf('uoms');
  return useCallback(
    (unit) => {
      const found = unit ? uoms.get(unit) : undefined;
      return found?.code || found?.name || '';
    },
    [uoms],
  );
}

/** The price level that lists show: the one called default or standard, else the first. */
export function useListedLevel(): Name | undefined {
  const { data } = useNames('price-levels');
  return data?.find(({ name }) => /^(default|standard)\b/i.test(name)) ?? data?.[0];
}
