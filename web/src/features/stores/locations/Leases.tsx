import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '#/api/session';
import { day, money } from '#/ui/format';
import classes from './deliveries/Deliveries.module.css';
import { LeaseDrawer } from './LeaseDrawer';
import { type Lease, useLeases } from './leases';

/** `₱80,000.00 a month and 6% of net sales, whichever is more` */
function wordsOf({ terms }: Lease): string {
  const { fixed, percent, mode } = terms;
  if (fixed === 0) return `${percent}% of net sales`;
  if (percent === 0) return `${money(fixed)} a month`;
  const both = `${money(fixed)} a month and ${percent}% of net sales`;
  return mode === 'additive' ? `${both} together` : `${both}, whichever is more`;
}

/** A store's leases over time. */
export function StoreLeases({ storeId }: { storeId: string }) {
  const { data } = useLeases(storeId);
  const mayEdit = useCan('stores/storeList', 'edit');
  const [editing, setEditing] = useState<{ lease: Lease | null } | null>(null);
  return (
    <section className={classes.own} aria-label="Leases">
      <h2>Leases</h2>
      {data?.items.length === 0 && (
        <p>No lease yet: the monthly sales report uses the store’s percentage.</p>
      )}
      <ul>
        {data?.items.map((lease) => (
          <li key={lease.id}>
            <b>
              {day(lease.validFrom)} {lease.validTo ? `to ${day(lease.validTo)}` : 'on'}
            </b>
            <span>{wordsOf(lease)}</span>
            {lease.terms.addBacks.length > 0 && (
              <span>adds {lease.terms.addBacks.map(({ name }) => name).join(', ')}</span>
            )}
            {mayEdit && (
              <Button size="compact-sm" variant="default" onClick={() => setEditing({ lease })}>
                Change
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayEdit && (
        <Button size="xs" variant="default" onClick={() => setEditing({ lease: null })}>
          Add a lease
        </Button>
      )}
      {editing && (
        <LeaseDrawer storeId={storeId} lease={editing.lease} onClose={() => setEditing(null)} />
      )}
    </section>
  );
}
