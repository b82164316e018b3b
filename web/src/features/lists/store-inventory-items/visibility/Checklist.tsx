import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { plural } from '#/ui/format';
import type { StoreInventoryItem } from '../api';
import classes from './Visibility.module.css';

interface Props {
  items: readonly StoreInventoryItem[];
  value: ReadonlySet<string>;
  readOnly: boolean;
  onChange(next: ReadonlySet<string>): void;
}

/** Items to choose from, by storage area. */
export function Checklist({ items, value, readOnly, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const areas = useMemo(() => {
    const all = new Map<string, StoreInventoryItem[]>();
    for (const item of items) {
      if (wanted && !`${item.name} ${item.code ?? ''}`.toLowerCase().includes(wanted)) continue;
      const area = item.storageArea || 'Elsewhere';
      all.set(area, [...(all.get(area) ?? []), item]);
    }
    return [...all];
  }, [items, wanted]);

  function set(ids: readonly string[], on: boolean): void {
    const next = new Set(value);
    for (const id of ids) on ? next.add(id) : next.delete(id);
    onChange(next);
  }

  return (
    <>
      <div className={classes.find}>
        <TextInput
          aria-label="Find items"
          placeholder="Find items"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <span className={classes.chosen}>{plural(value.size, 'item')} chosen</span>
        {!readOnly && (
          <>
            <Button
              variant="subtle"
              size="xs"
              onClick={() =>
                set(
                  areas.flatMap(([, list]) => list.map(({ id }) => id)),
                  true,
                )
              }
            >
              All
            </Button>
            <Button
              variant="subtle"
              size="xs"
              onClick={() =>
                set(
                  areas.flatMap(([, list]) => list.map(({ id }) => id)),
                  false,
                )
              }
            >
              None
            </Button>
          </>
        )}
      </div>
      {areas.map(([area, list]) => {
        const on = list.filter(({ id }) => value.has(id)).length;
        return (
          <fieldset key={area} className={classes.area} disabled={readOnly}>
            <legend>
              <Checkbox
                label={area}
                checked={on === list.length}
                indeterminate={on > 0 && on < list.length}
                onChange={() =>
                  set(
                    list.map(({ id }) => id),
                    on < list.length,
                  )
                }
              />
            </legend>
            {list.map(({ id, name, code }) => (
              <Checkbox
                key={id}
                label={code ? `${name} · ${code}` : name}
                checked={value.has(id)}
                onChange={(event) => set([id], event.currentTarget.checked)}
              />
            ))}
          </fieldset>
        );
      })}
      {areas.length === 0 && <p className={classes.none}>No items match “{typed}”.</p>}
    </>
  );
}
