import { Select, type SelectProps } from '@mantine/core';
import { useNames } from '#/api/names';

type Props = Pick<SelectProps, 'value' | 'onChange' | 'error' | 'size' | 'w' | 'disabled'>;

/** The storage requirement whose products are counted; all if none. */
export function AreaSelect(props: Props) {
  const { data: areas = [] } = useNames('storage-requirements');
  return (
    <Select
      {...props}
      label="Area"
      placeholder="All areas"
      data={areas.map(({ id, name }) => ({ value: id, label: name }))}
      clearable
      clearButtonProps={{ 'aria-label': 'All areas' }}
      searchable
      openOnFocus={false}
      nothingFoundMessage="No such area"
    />
  );
}
