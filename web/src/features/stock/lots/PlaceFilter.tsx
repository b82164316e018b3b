import { Select } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { useNames } from '#/api/names';
import { useMyStores } from '#/ui/StoreChoice';

const KINDS = [
  ['commissary', 'Commissaries'],
  ['warehouse', 'Warehouses'],
  ['coldStorage', 'Cold storages'],
] as const;

/** `commissary:c1` */
export function readPlace(text: string): { placeKind: string; placeId: string } | null {
  const at = text.indexOf(':');
  return at > 0 ? { placeKind: text.slice(0, at), placeId: text.slice(at + 1) } : null;
}

/** A commissary, warehouse, cold storage or store. */
export function PlaceFilter({ value, onChange }: { value: string; onChange(next: string): void }) {
  const { stores } = useMyStores();
  const named = [
    useNames('commissaries').data,
    useNames('warehouses').data,
    useNames('cold-storages').data,
  ];
  const data = KINDS.map(([kind, group], i) => ({
    group: group as string,
    items: (named[i] ?? []).map(({ id, name }) => ({ value: `${kind}:${id}`, label: name })),
  }))
    .concat({
      group: 'Stores',
      items: stores.map(({ id, name }) => ({ value: `store:${id}`, label: name })),
    })
    .filter(({ items }) => items.length > 0);
  return (
    <Select
      aria-label="Place"
      placeholder="All places"
      size="xs"
      w={180}
      leftSection={<IconMapPin size={15} stroke={1.7} aria-hidden />}
      data={data}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'All places' }}
      nothingFoundMessage="No such place"
    />
  );
}
