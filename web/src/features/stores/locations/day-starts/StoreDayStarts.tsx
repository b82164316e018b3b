import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { day } from '#/ui/format';
import classes from '../deliveries/Deliveries.module.css';
import { clock, type DayStartChange, useDayStarts } from './api';
import { DayStartDrawer } from './DayStartDrawer';

/** When a store's business days begin, on its page. */
export function StoreDayStarts({ storeId }: { storeId: string }) {
  const { data } = useDayStarts(storeId);
  const stores = useNameOf('stores');
  const mayEdit = useCan('stores/storeList', 'edit');
  const [editing, setEditing] = useState<{ change: DayStartChange | null } | null>(null);
  if (!data) return null;
  const { minutes, changes } = data;

  return (
    <section
      className={classes.own}
      aria-label={`Business day of ${stores.get(storeId)?.name ?? 'this store'}`}
    >
      <h2>Business day</h2>
      <p>
        Day begins at {clock(minutes)}: sales before that belong to the evening before, and days
        imported earlier keep theirs.
      </p>
      <ul>
        {changes.map((change) => (
          <li key={change.from}>
            <b>From {day(change.from)}</b>
            <span>{clock(change.minutes)}</span>
            {mayEdit && (
              <Button size="compact-sm" variant="default" onClick={() => setEditing({ change })}>
                Change
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayEdit && (
        <Button size="xs" variant="default" onClick={() => setEditing({ change: null })}>
          Change start of the day
        </Button>
      )}
      {editing && (
        <DayStartDrawer
          storeId={storeId}
          change={editing.change}
          minutes={minutes}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  );
}
