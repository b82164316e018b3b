import { Select } from '@mantine/core';
import { useNames } from '#/api/names';
import type { TableState } from '#/table/useTableState';
import { TYPES } from './api';
import classes from './page.module.css';

/** Category, type and storage requirement; each stands in the address. */
export function ProductFilters({ state }: { state: TableState }) {
  const { data: categories = [] } = useNames('categories');
  const { data: storages = [] } = useNames('storage-requirements');
  const options = (names: readonly { id: string; name: string }[]) =>
    names.map(({ id, name }) => ({ value: id, label: name }));
  const types = TYPES.map((type) => ({ value: type, label: type }));
  return (
    <>
      <Filter
        name="category"
        label="Category"
        all="All categories"
        data={options(categories)}
        state={state}
      />
      <Filter name="type" label="Type" all="All types" data={types} state={state} />
      <Filter
        name="storage"
        label="Storage"
        all="All storage"
        data={options(storages)}
        state={state}
      />
    </>
  );
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
      onChange={(chosen) => state.set({ [name]: chosen })}
    />
  );
}
