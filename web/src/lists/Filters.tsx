import { Select } from '@mantine/core';
import { useNames } from '#/api/names';
import type { Saved } from '#/form/useRecordForm';
import type { TableState } from '#/table/useTableState';
import { Segments } from '#/ui/Segments';
import type { ListDef } from './define';
import classes from './Filters.module.css';

interface Props<T extends Saved> {
  def: ListDef<T>;
  state: TableState;
}

/** The filters of a list: hidden records and references. */
export function Filters<T extends Saved>({ def, state }: Props<T>) {
  const { hides } = def;
  return (
    <>
      {def.narrows?.map((name) => {
        const field = def.fields.find((one) => one.name === name);
        if (field?.kind !== 'ref') return null;
        return (
          <RefFilter
            key={name}
            of={field.of}
            label={field.label}
            value={state.get(name)}
            onChange={(value) => state.set({ [name]: value })}
          />
        );
      })}
      {hides && (
        <Segments
          label="Shown"
          value={state.get('show') === 'all' ? 'all' : 'usual'}
          options={[
            { value: 'usual', label: hides.usual },
            { value: 'all', label: hides.all },
          ]}
          onChange={(value) => state.set({ show: value === 'all' ? 'all' : null })}
        />
      )}
    </>
  );
}

interface RefProps {
  of: string;
  label: string;
  value: string;
  onChange(value: string | null): void;
}

function RefFilter({ of, label, value, onChange }: RefProps) {
  const { data: names = [] } = useNames(of);
  return (
    <Select
      size="xs"
      className={classes.filter}
      aria-label={label}
      placeholder={`Every ${label.toLowerCase()}`}
      data={names.map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      searchable
      openOnFocus={false}
      limit={100}
      clearable
      clearButtonProps={{ 'aria-label': `Every ${label.toLowerCase()}` }}
      nothingFoundMessage="Nothing matches"
      onChange={onChange}
    />
  );
}
