import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { today } from '#/ui/dates';
import { day } from '#/ui/format';
import classes from '../deliveries/Deliveries.module.css';
import { type OpeningDaysChange, setOpeningDays, useOpeningDays, weekdaysLabel } from './api';
import { OpeningDaysDrawer } from './OpeningDaysDrawer';

/** On which weekdays a store opens, on its page. */
export function StoreOpeningDays({ storeId }: { storeId: string }) {
  const { data } = useOpeningDays(storeId);
  const stores = useNameOf('stores');
  const mayEdit = useCan('stores/storeList', 'edit');
  const saving = useSave({ shows: 'toast' });
  const [editing, setEditing] = useState<{ change: OpeningDaysChange | null } | null>(null);
  if (!data) return null;
  const { weekdays, changes, proposed } = data;
  const ofToday = changes.find(({ from }) => from === today());

  return (
    <section
      id="store-opening-days"
      tabIndex={-1}
      className={classes.own}
      aria-label={`Opening days of ${stores.get(storeId)?.name ?? 'this store'}`}
    >
      <h2>Opening days</h2>
      <p>
        Open {weekdaysLabel(weekdays)}. Closed days are forecast 0, need no count and are never
        missing; a day with sales counts as open.
      </p>
      {proposed && (
        <p>
          Nothing was sold on other days than {weekdaysLabel(proposed)} for eight weeks.{' '}
          {mayEdit && (
            <Button
              size="compact-sm"
              variant="default"
              loading={saving.busy}
              onClick={() =>
                void saving.run(
                  () =>
                    setOpeningDays(storeId, today(), {
                      weekdays: proposed,
                      revision: ofToday?.revision ?? null,
                    }),
                  { said: 'Opening days saved' },
                )
              }
            >
              Open {weekdaysLabel(proposed)} from today
            </Button>
          )}
        </p>
      )}
      <ul>
        {changes.map((change) => (
          <li key={change.from}>
            <b>From {day(change.from)}</b>
            <span>{weekdaysLabel(change.weekdays)}</span>
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
          Change opening days
        </Button>
      )}
      {editing && (
        <OpeningDaysDrawer
          storeId={storeId}
          change={editing.change}
          weekdays={weekdays}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  );
}
