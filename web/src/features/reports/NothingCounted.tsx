import { IconClipboardOff } from '@tabler/icons-react';
import { EmptyState } from '#/ui/EmptyState';
import { PageButton } from '#/ui/PageButton';

/** No store counted anything in the range. */
export function NothingCounted() {
  return (
    <EmptyState
      icon={IconClipboardOff}
      title="Nothing was counted in these days"
      text="Choose other days or stores, or count a store."
      action={<PageButton page="storesCount">Open store count</PageButton>}
    />
  );
}
