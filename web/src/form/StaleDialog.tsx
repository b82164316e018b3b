import { Button, Group, Modal } from '@mantine/core';
import { useEffect, useId, useMemo, useState } from 'react';
import { useReturnFocus } from '#/ui/useReturnFocus';
import { ShownValue } from './ShownValue';
import classes from './StaleDialog.module.css';
import type { Field, Wire } from './types';
import type { Stale } from './useRecordForm';
import { fromRecord, merge, toWire } from './values';

interface Props {
  stale: Stale;
  fields: readonly Field[];
  mine: Wire;
  busy: boolean;
  onResolve(mine: ReadonlySet<string>): void;
  onClose(): void;
}

/** Someone else saved first: both versions side by side, and what was typed stays. */
export function StaleDialog({ stale, fields, mine, busy, onResolve, onClose }: Props) {
  useReturnFocus();
  const { differences, conflicts } = useMemo(
    () => merge(fields, stale.base, mine, toWire(fields, fromRecord(fields, stale.theirs))),
    [fields, stale, mine],
  );
  const [kept, setKept] = useState<ReadonlySet<string>>(
    () => new Set(conflicts.map(({ field }) => field.name)),
  );
  const group = useId();

  // It comes and goes at once, so it gives the keyboard back by itself.
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    return () => {
      setTimeout(() => before?.isConnected && before.focus());
    };
  }, []);

  const choose = (name: string, keep: boolean) => {
    const next = new Set(kept);
    if (keep) next.add(name);
    else next.delete(name);
    setKept(next);
  };
  const who = stale.theirs.updatedBy?.name;

  return (
    <Modal
      opened
      onClose={onClose}
      title="Changed by someone else"
      size={720}
      classNames={{ title: classes.title }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <p className={classes.text}>{stale.problem.message}</p>
      <p className={classes.text}>
        {conflicts.length === 0
          ? 'You changed different fields, so both sets of changes can be kept.'
          : 'Choose a version where both changed the same field. The rest is kept from both.'}
      </p>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">{who ? `${who}’s` : 'Theirs'}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, mine: my, theirs, by }) => (
              <tr key={field.name}>
                <th scope="row">{field.label}</th>
                {[true, false].map((keep) => {
                  const stays =
                    by === 'both' ? kept.has(field.name) === keep : (by === 'me') === keep;
                  const value = <ShownValue field={field} value={keep ? my : theirs} />;
                  return (
                    <td key={String(keep)} data-kept={stays || undefined}>
                      {by === 'both' ? (
                        <label className={classes.choice}>
                          <input
                            type="radio"
                            name={`${group} ${field.name}`}
                            checked={stays}
                            onChange={() => choose(field.name, keep)}
                          />
                          {value}
                        </label>
                      ) : (
                        <div className={classes.plain}>
                          {value}
                          {stays && <span className={classes.note}>Kept</span>}
                        </div>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          Keep typing
        </Button>
        <Button loading={busy} onClick={() => onResolve(kept)}>
          {conflicts.length === 0 ? 'Save both' : 'Save this choice'}
        </Button>
      </Group>
    </Modal>
  );
}
