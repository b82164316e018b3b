import { Select } from '@mantine/core';
import { useState } from 'react';
import { useNames } from '#/api/names';
import { storeOptions, useMyStores } from '#/ui/StoreChoice';

interface Which {
  /** The user's stores; none by default. */
  stores?: boolean;
  /** Commissaries, warehouses and cold storages; by default. */
  kitchens?: boolean;
}

/** The choice of a place; the only one is chosen already. */
export function usePlaceChoice({ stores = false, kitchens = true }: Which = {}) {
  const { open } = useMyStores();
  const { data: commissaries = [] } = useNames('commissaries', kitchens);
  const { data: warehouses = [] } = useNames('warehouses', kitchens);
  const { data: colds = [] } = useNames('cold-storages', kitchens);
  const group = (label: string, kind: string, places: typeof commissaries) => ({
    group: label,
    items: storeOptions(places).map((one) => ({ ...one, value: `${kind} ${one.value}` })),
  });
  const groups = [
    group('Stores', 'store', stores ? open : []),
    ...(kitchens
      ? [
          group('Commissaries', 'commissary', commissaries),
          group('Warehouses', 'warehouse', warehouses),
          group('Cold storages', 'coldStorage', colds),
        ]
      : []),
  ].filter(({ items }) => items.length > 0);
  const [first, ...others] = groups.flatMap(({ items }) => items);
  const only = others.length === 0 ? first?.value : undefined;
  const [chosen, choose] = useState<string | null>(null);
  const value = chosen ?? only ?? null;
  const [placeKind = '', placeId = ''] = (value ?? '').split(' ');
  return { placeKind, placeId, groups, value, choose };
}

interface Props {
  choice: ReturnType<typeof usePlaceChoice>;
  label: string;
  placeholder: string;
  error: string | null;
}

/** Where goods are kept; the first field of a dialog. */
export function PlaceSelect({ choice, label, placeholder, error }: Props) {
  return (
    <Select
      w="100%"
      label={label}
      placeholder={placeholder}
      data={choice.groups}
      value={choice.value}
      onChange={choice.choose}
      allowDeselect={false}
      searchable
      openOnFocus={false}
      data-autofocus
      nothingFoundMessage="No such place"
      error={error}
    />
  );
}
