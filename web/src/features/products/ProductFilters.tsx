import { Button, Popover, Select } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useNames } from '#/api/names';
import type { TableState } from '#/table/useTableState';
import { usePhone } from '#/ui/usePhone';
import { TYPES } from './api';
import classes from './page.module.css';

/** Category, type and storage requirement, kept in the address. A phone shows them in a sheet. */
export function ProductFilters({ state }: { state: TableState }) {
  const phone = usePhone();
  const { data: categories = [] } = useNames('categories');
  const { data: storages = [] } = useNames('storage-requirements');
  const filters: Omit<FilterProps, 'state'>[] = [
    { name: 'category', label: 'Category', all: 'All categories', data: options(categories) },
    {
      name: 'type',
      label: 'Type',
      all: 'All types',
      data: TYPES.map((type) => ({ value: type, label: type })),
    },
    { name: 'storage', label: 'Storage', all: 'All storage', data: options(storages) },
  ];
  const drawn = filters.map((filter) => <Filter key={filter.name} {...filter} state={state} />);
  if (!phone) return drawn;

  const set = filters.filter(({ name }) => state.get(name)).length;
  return (
    <Popover position="bottom-end" width={280} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          className={classes.sheet}
          leftSection={<IconFilter size={17} stroke={1.7} aria-hidden />}
          data-set={set > 0 || undefined}
        >
          {set > 0 ? `Filters · ${set}` : 'Filters'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.filters} aria-label="Filters">
        {drawn}
      </Popover.Dropdown>
    </Popover>
  );
}

function options(names: readonly { id: string; name: string }[]) {
  return names.map(({ id, name }) => ({ value: id, label: name }));
}

interface FilterProps {
  name: string;
  label: string;
  all: string;
  data: { value: string; label: string }[];
  state: TableState;
}

function Filter({ name, label, all, data, state }: FilterProps) {
  const value = state.get(name);
  return (
    <Select
      size="xs"
      className={classes.filter}
      aria-label={label}
      placeholder={all}
      data={data}
      value={value || null}
      searchable
      openOnFocus={false}
      limit={100}
      clearable
      clearButtonProps={{ 'aria-label': all }}
      nothingFoundMessage="Nothing matches"
      comboboxProps={{ withinPortal: false }}
      onChange={(chosen) => state.set({ [name]: chosen })}
    />
  );
}
