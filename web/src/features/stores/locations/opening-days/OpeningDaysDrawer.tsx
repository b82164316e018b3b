import { Button } from '@mantine/core';
import { useState } from 'react';
import { DrawerForm } from '#/form/DrawerForm';
import { SaveButtons } from '#/form/SaveButtons';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { DateField } from '#/ui/DateField';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { today } from '#/ui/dates';
import { WEEKDAYS } from '../deliveries/api';
import classes from '../deliveries/Deliveries.module.css';
import { type OpeningDaysChange, removeOpeningDays, setOpeningDays } from './api';

interface Props {
  storeId: string;
  /** The change to edit; null for a new one. */
  change: OpeningDaysChange | null;
  /** In force today. */
  weekdays: readonly number[];
  onClose(): void;
}

/** On which weekdays a store opens from a day on. */
export function OpeningDaysDrawer({ storeId, change, weekdays, onClose }: Props) {
  const [from, setFrom] = useState(change?.from ?? today());
  const [open, setOpen] = useState<readonly number[]>(change?.weekdays ?? weekdays);
  const saving = useSave({ revision: change?.revision });
  const error = (field: string) =>
    saving.problem?.fields.find((one) => one.field === field)?.message;
  return (
    <DrawerFrame opened title="Opening days" size={440} onClose={onClose}>
      <DrawerForm
        shortcut
        onSubmit={() =>
          void saving.run(
            (revision) => setOpeningDays(storeId, from, { weekdays: [...open], revision }),
            { said: 'Opening days saved', onSaved: onClose },
          )
        }
        danger={
          change && (
            <Button
              variant="subtle"
              color="red"
              disabled={saving.busy}
              onClick={() =>
                void saving.run(() => removeOpeningDays(storeId, change.from), {
                  said: 'Opening days removed',
                  onSaved: onClose,
                })
              }
            >
              Remove
            </Button>
          )
        }
        buttons={
          <SaveButtons busy={saving.busy} onCancel={onClose}>
            Save
          </SaveButtons>
        }
      >
        <div className={classes.form}>
          <SaveProblem save={saving} />
          <DateField
            label="From"
            value={from}
            readOnly={change !== null}
            error={error('from')}
            onChange={setFrom}
          />
          <fieldset className={classes.weekdays}>
            <legend>Open on</legend>
            {WEEKDAYS.map((name, i) => {
              const on = open.includes(i + 1);
              return (
                <button
                  key={name}
                  type="button"
                  aria-pressed={on}
                  onClick={() =>
                    setOpen(
                      on
                        ? open.filter((weekday) => weekday !== i + 1)
                        : [...open, i + 1].sort((a, b) => a - b),
                    )
                  }
                >
                  {name}
                </button>
              );
            })}
            {error('weekdays') && <p role="alert">{error('weekdays')}</p>}
          </fieldset>
        </div>
      </DrawerForm>
    </DrawerFrame>
  );
}
