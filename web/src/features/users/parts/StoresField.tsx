import { MultiSelect, Switch } from '@mantine/core';
import { useNames } from '#/api/names';
import { useOwnRights } from '../queries';
import { ALL, decodeStores, encodeStores } from '../stores';
import classes from './Fields.module.css';

interface Props {
  /** As `encodeStores` writes it. */
  value: string;
  onChange(value: string): void;
  readOnly?: boolean;
  /** Whether the role is one of a store: not all stores. */
  needed?: boolean;
  error?: string;
}

/** All stores, or exactly these. */
export function StoresField({ value, onChange, readOnly, needed, error }: Props) {
  const { data: names = [], isPending } = useNames('stores');
  const own = useOwnRights();
  const all = value === ALL || !value;
  const chosen = decodeStores(value) ?? [];
  const bounded = own.stores !== null;
  const options = names
    .filter(({ id }) => !own.stores || own.stores.includes(id) || chosen.includes(id))
    .map(({ id, name, code }) => ({
      value: id,
      label: code && code !== name ? `${name} · ${code}` : name,
      disabled: Boolean(own.stores && !own.stores.includes(id)),
    }));

  return (
    <div className={classes.stack}>
      <Switch
        label="All stores"
        description={
          all
            ? 'No list is set, so every store is within reach, also those that open later.'
            : bounded
              ? 'You have access to some stores only, so you can give only those.'
              : needed
                ? 'This role is for work in stores: choose them below.'
                : 'Only the stores chosen below are within reach.'
        }
        data-path={all ? 'stores' : undefined}
        disabled={readOnly || ((bounded || needed) && !all)}
        error={all ? error : undefined}
        checked={all}
        onChange={(event) => onChange(event.currentTarget.checked ? ALL : encodeStores([]))}
      />
      {!all && (
        <MultiSelect
          aria-label="Stores"
          data-path="stores"
          data={options}
          value={chosen}
          readOnly={readOnly}
          searchable
          hidePickedOptions
          clearable={!readOnly}
          clearButtonProps={{ 'aria-label': 'Clear stores' }}
          limit={100}
          placeholder={chosen.length > 0 ? undefined : 'Choose stores'}
          nothingFoundMessage={isPending ? 'Loading…' : 'Nothing matches'}
          error={error}
          onChange={(ids) => onChange(encodeStores(ids))}
        />
      )}
      {!all && chosen.length === 0 && !error && <p className={classes.warn}>Choose the stores.</p>}
    </div>
  );
}
