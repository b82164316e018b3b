import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '#/ui/Dialog';
import { plural } from '#/ui/format';
import classes from './Sheet.module.css';
import { areasOf, type SheetRow } from './sheet';

interface Props {
  rows: readonly SheetRow[];
  onConfirm(rows: SheetRow[]): void;
  onClose(): void;
}

/** Asks once, area by area, whether what has no number is not there. */
export function RestAsZero({ rows, onConfirm, onClose }: Props) {
  const areas = areasOf(rows).filter(({ open }) => open.length > 0);
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    areas.length === 1 ? areas.map(({ id }) => id) : [],
  );
  const open = areas.filter(({ id }) => chosen.includes(id)).flatMap((area) => area.open);
  return (
    <Dialog
      opened
      title="Count the rest as zero"
      keep="Keep them uncounted"
      confirm={open.length > 0 ? `Count ${plural(open.length, 'line')} as zero` : 'Count as zero'}
      danger
      disabled={open.length === 0}
      onConfirm={() => {
        onConfirm(open);
        onClose();
      }}
      onClose={onClose}
    >
      <div className={classes.areas}>
        <p>Posting then takes all of it out of the stock. Lines left uncounted stay as they are.</p>
        {areas.map(({ id, label, open: rest }) => (
          <Checkbox
            key={id}
            label={`${label}: ${plural(rest.length, 'line')} not counted`}
            checked={chosen.includes(id)}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              setChosen((now) => (on ? [...now, id] : now.filter((one) => one !== id)));
            }}
          />
        ))}
      </div>
    </Dialog>
  );
}
