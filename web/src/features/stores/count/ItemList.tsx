import { Button } from '@mantine/core';
import { IconListCheck, IconSearch } from '@tabler/icons-react';
import { EmptyState } from '#/ui/EmptyState';
import classes from './Count.module.css';
import type { ItemFilter } from './itemOrder';
import { Rows } from './Rows';
import { Unreachable } from './Unreachable';
import type { useWarmUp } from './useCount';

interface Props {
  warm: ReturnType<typeof useWarmUp>;
  found: ItemFilter;
  blind: boolean;
  onOpen(id: string): void;
  onClear(): void;
}

/** The items of a store, or why there are none. */
export function ItemList({ warm, found, blind, onOpen, onClear }: Props) {
  if (warm.isPending) return <Skeleton />;
  if (warm.error) return <Unreachable error={warm.error} retry={() => void warm.refetch()} />;
  if (warm.data.items.length === 0) {
    return (
      <EmptyState
        icon={IconListCheck}
        title="Nothing is counted here yet"
        text="Store inventory items decide what a store counts. Ask your administrator to add some."
      />
    );
  }
  if (found?.size === 0) {
    return (
      <EmptyState
        compact
        icon={IconSearch}
        title="Nothing matches"
        action={
          <Button variant="default" onClick={onClear}>
            Show all items
          </Button>
        }
      />
    );
  }
  return <Rows blind={blind} found={found} onOpen={onOpen} />;
}

function Skeleton() {
  return (
    <output className={classes.skeleton} aria-label="Loading…">
      {Array.from({ length: 9 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholder bars have no identity
        <span key={i} />
      ))}
    </output>
  );
}
