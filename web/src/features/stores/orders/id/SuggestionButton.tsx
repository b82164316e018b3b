import { Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { plural } from '#/ui/format';

interface Props {
  /** How many items have a suggestion. */
  suggested: number;
  /** How many of them are ordered in another quantity. */
  differing: number;
  onTake(): void;
}

/** Takes every suggestion; absent where no item has one, since then there is nothing to compare with. */
export function SuggestionButton({ suggested, differing, onTake }: Props) {
  if (suggested === 0) return null;
  return (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconWand size={15} aria-hidden />}
      disabled={differing === 0}
      onClick={onTake}
    >
      {differing === 0
        ? 'Nothing differs from the suggestion'
        : `Take the suggestion for ${plural(differing, 'item')}`}
    </Button>
  );
}
