// Shared parts of histories.
import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { EmptyState } from '#/ui/EmptyState';
import { count } from '#/ui/format';

export function NoChanges() {
  return (
    <EmptyState
      compact
      icon={IconHistory}
      title="No changes yet"
      text="Changes show here with who made them and when."
    />
  );
}

interface OlderProps {
  history: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
  /** Number of entries not loaded yet. */
  left: number;
}

/** Loads older entries; hidden if there are none. */
export function Older({ history, left }: OlderProps) {
  if (!history.hasNextPage) return null;
  return (
    <Button
      size="xs"
      variant="default"
      loading={history.isFetchingNextPage}
      onClick={() => void history.fetchNextPage()}
    >
      Show older ({count(left)})
    </Button>
  );
}
