import { IconClipboardOff } from '@tabler/icons-react';
import { EmptyState } from '#/ui/EmptyState';

/** No store counted anything in the range. */
export function NothingCounted() {
  return (
    <EmptyState
      icon={IconClipboardOff}
      title="Nothing was counted in these days"
      text="Choose other days or stores. Counts are taken under Stores, Store count."
    />
  );
}
