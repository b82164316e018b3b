import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usersApi } from '../api';
import classes from './ActivityTab.module.css';

interface Props {
  value: string;
  onChange(value: string | null): void;
}

/** A filter for one user, or all. */
export function PersonFilter({ value, onChange }: Props) {
  const { data: people = [] } = useQuery({
    queryKey: ['people', 'users', 'names'],
    queryFn: async ({ signal }) =>
      (await usersApi.page({ sort: 'name', pageSize: 1000 }, signal)).items,
    staleTime: 5 * 60_000,
  });
  return (
    <Select
      size="xs"
      className={classes.filter}
      aria-label="Person"
      placeholder="Everybody"
      data={people.flatMap(({ uid, name, email }) =>
        uid ? [{ value: uid, label: name || email }] : [],
      )}
      value={value || null}
      searchable
      openOnFocus={false}
      limit={100}
      clearable
      clearButtonProps={{ 'aria-label': 'Everybody' }}
      nothingFoundMessage="Nothing matches"
      onChange={onChange}
    />
  );
}
