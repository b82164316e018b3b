import { useRef } from 'react';
import type { By } from '#/stock/ledger/api';
import { LedgerPanel } from '#/stock/ledger/LedgerPanel';
import type { TableState } from '#/table/useTableState';
import { DrawerFrame } from '#/ui/DrawerFrame';

interface Props {
  storeId: string;
  by: By;
  /** The row's name, if the table shows it. */
  name: string | undefined;
  state: TableState;
}

/** Search parameters to clear on closing. */
export const CLOSED = { item: null, since: null, until: null };

/** Explains a stock figure: all movements and counts of a range of days. */
export function LedgerDrawer({ storeId, by, name, state }: Props) {
  const id = state.get('item');
  const last = useRef(id);
  if (id) last.current = id;
  // Keep showing the last item while the drawer slides out.
  const shown = id || last.current;
  return (
    <DrawerFrame
      opened={id !== ''}
      title={name ?? 'Store inventory'}
      size={760}
      onClose={() => state.set(CLOSED)}
    >
      {shown && (
        <LedgerPanel
          key={`${storeId} ${shown}`}
          storeId={storeId}
          by={by}
          state={state}
          id={shown}
        />
      )}
    </DrawerFrame>
  );
}
