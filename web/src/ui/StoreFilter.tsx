import { Checkbox, Popover, TextInput } from '@mantine/core';
import { type Icon, IconBuildingStore, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useNames } from '#/api/names';
import classes from './StoreFilter.module.css';

/** Escape closes the panel, and not also the drawer around it. */
const ESCAPES = { 'data-mantine-stop-propagation': 'true' } as const;

interface Props {
  /** Empty means all stores. */
  value: readonly string[];
  onChange(ids: string[]): void;
  /** The kinds of names to list, in this order. */
  kinds?: readonly [string, string?];
  all?: string;
  label?: string;
  icon?: Icon;
}

/** Several stores, or all of them; also used for areas. */
export function StoreFilter(props: Props) {
  const { value, onChange, kinds = ['stores'], all = 'All stores', label = 'Stores' } = props;
  const Picture = props.icon ?? IconBuildingStore;
  const { data: first = [], isPending } = useNames(kinds[0]);
  const { data: second = [] } = useNames(kinds[1] ?? '', Boolean(kinds[1]));
  const names = [...first, ...second];
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const shown = names.filter(({ name, code }) =>
    `${name} ${code ?? ''}`.toLowerCase().includes(wanted),
  );
  const one = names.find(({ id }) => id === value[0])?.name ?? '1 chosen';
  const text = value.length === 0 ? all : value.length === 1 ? one : `${value.length} chosen`;

  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width={280}
      trapFocus
      onClose={() => setTyped('')}
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.target}
          data-set={value.length > 0 || undefined}
          onClick={() => setOpened(!opened)}
          aria-label={`${label}: ${text}`}
        >
          <Picture size={16} stroke={1.7} aria-hidden />
          {text}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label={label}>
        <TextInput
          {...ESCAPES}
          aria-label={`Find in ${label.toLowerCase()}`}
          placeholder="Find"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        <div className={classes.list}>
          <Checkbox
            {...ESCAPES}
            label={all}
            checked={value.length === 0}
            onChange={() => onChange([])}
            className={classes.option}
          />
          {shown.map(({ id, name, code }) => (
            <Checkbox
              {...ESCAPES}
              key={id}
              className={classes.option}
              label={code && code !== name ? `${name} · ${code}` : name}
              checked={value.includes(id)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...value, id] : value.filter((one) => one !== id),
                )
              }
            />
          ))}
          {!isPending && shown.length === 0 && <p className={classes.none}>Nothing matches.</p>}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
