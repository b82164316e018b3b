import { Button } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { CloseDialog } from '#/documents/CloseDialog';
import { type CloseLine, closeApi } from '#/documents/close';
import { plural } from '#/ui/format';
import { failed } from '#/ui/toast';
import type { OnHand } from './api';
import classes from './SalesNotice.module.css';

/** The last counts of rows with open questions. */
export function closeCounts(rows: readonly OnHand[]): { date: string; session: string }[] {
  const counts = new Map<string, { date: string; session: string }>();
  for (const { close, lastCount } of rows) {
    if (!close || !lastCount) continue;
    const session: string = lastCount.session ?? '';
    counts.set(`${lastCount.date} ${session}`, { date: lastCount.date, session });
  }
  return [...counts.values()];
}

/** Figures that depend on goods that came or left close to a count, with the questions about them. */
export function CloseNotice({ storeId, rows }: { storeId: string; rows: readonly OnHand[] }) {
  const mayAnswer = useCan('stores/storeCount', 'count');
  const [lines, setLines] = useState<readonly CloseLine[]>([]);
  const [busy, setBusy] = useState(false);
  const n = rows.filter(({ close }) => close > 0).length;
  if (n === 0) return null;

  async function ask(): Promise<void> {
    setBusy(true);
    try {
      const found = closeCounts(rows).map((count) => closeApi.open({ storeId, ...count }));
      setLines((await Promise.all(found)).flat());
    } catch (error) {
      failed(Problem.of(error).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <p className={classes.notice}>
      <IconTruckDelivery size={16} stroke={1.8} aria-hidden />
      <span>
        {plural(n, 'figure depends', 'figures depend')} on goods that came or left close to a count.
        Nobody has said if that was before or after it.
      </span>
      {mayAnswer && (
        <Button variant="default" size="xs" loading={busy} onClick={() => void ask()}>
          Answer…
        </Button>
      )}
      {lines.length > 0 && <CloseDialog lines={lines} onClose={() => setLines([])} />}
    </p>
  );
}
