import { Select } from '@mantine/core';
import { IconBuildingStore } from '@tabler/icons-react';
import { useMemo } from 'react';
import { type Name, openOnly, useNames } from '#/api/names';
import { useMe } from '#/api/session';

interface Props {
  value: string;
  onChange(id: string): void;
  label?: string;
  /** For new records: closed stores are left out. */
  fresh?: boolean;
  /** What no choice means, where it means something: the choice can be cleared. */
  none?: string;
}

/** The user's stores by name; `open` are those that allow new records. */
export function useMyStores() {
  const me = useMe();
  const { data, isPending } = useNames('stores');
  const within = me.user.storeIds;
  return useMemo(() => {
    const stores = (data ?? []).filter(({ id }) => !within || within.includes(id));
    return { stores, open: openOnly(stores), pending: isPending };
  }, [data, within, isPending]);
}

/** The name of one of the user's stores, for the paper. */
export function usePlace(storeId: string): string | undefined {
  return useMyStores().stores.find(({ id }) => id === storeId)?.name;
}

/** Store options, closed ones last and marked. */
export function storeOptions(stores: readonly Name[]): { value: string; label: string }[] {
  const closed = stores.filter(({ inactive }) => inactive);
  return [
    ...openOnly(stores).map(({ id, name }) => ({ value: id, label: name })),
    ...closed.map(({ id, name }) => ({ value: id, label: `${name} (closed)` })),
  ];
}

/** One of the user's stores. */
export function StoreChoice({ value, onChange, label = 'Store', fresh = false, none }: Props) {
  const { stores, open } = useMyStores();
  return (
    <Select
      aria-label={label}
      placeholder={none ?? 'Choose a store'}
      leftSection={<IconBuildingStore size={16} stroke={1.7} aria-hidden />}
      data={storeOptions(fresh ? open : stores)}
      value={value || null}
      onChange={(id) => (id || none) && onChange(id ?? '')}
      clearable={none !== undefined}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No such store"
      w={230}
    />
  );
}
