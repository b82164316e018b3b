import { type ReactNode, useState } from 'react';
import { useCan } from '#/api/session';
import type { BulkAction } from '#/table/types';
import type { Day, Layout } from './api';
import { WithdrawDialog } from './WithdrawDialog';
import { type Leaving, leavingOf } from './withdrawals';

/** The bulk action that withdraws days, and its dialog; no action without the right. */
export function useWithdrawal(layout: Layout): {
  actions: BulkAction<Day>[];
  dialog: ReactNode;
} {
  const mayExport = useCan('sales/netsuite', 'export');
  const [asked, setAsked] = useState<{ records: Leaving[]; clear(): void } | null>(null);
  const action: BulkAction<Day> = {
    label: 'Withdraw',
    danger: true,
    shown: (rows) => leavingOf(rows, layout).length > 0,
    run: (rows, clear) => setAsked({ records: leavingOf(rows, layout), clear }),
  };
  return {
    actions: mayExport ? [action] : [],
    dialog: asked && (
      <WithdrawDialog records={asked.records} onDone={asked.clear} onClose={() => setAsked(null)} />
    ),
  };
}
