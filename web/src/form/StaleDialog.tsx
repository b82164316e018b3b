import { Button, Group, Modal } from '@mantine/core';
import { useEffect, useId, useMemo, useState } from 'react';
import { confirmKeys } from '#/ui/confirmKeys';
import textClasses from '#/ui/Text.module.css';
import { useReturnFocus } from '#/ui/useReturnFocus';
import { ChoiceTable, RadioChoice } from './ChoiceTable';
import { ReadOnlyValue } from './ReadOnlyValue';
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

/** Shown when another user saved first: lets the user choose per conflicting field. */
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

  // It unmounts without a closing transition, so focus must be returned here.
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
      onKeyDown={confirmKeys({ confirm: busy ? null : () => onResolve(kept) })}
      title="Changed by someone else"
      size={720}
      classNames={{ title: textClasses.dialogTitle }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <p className={textClasses.dialogText}>{stale.problem.message}</p>
      <p className={textClasses.dialogText}>
        {conflicts.length === 0
          ? 'You changed different fields, so both sets of changes can be kept.'
          : 'Choose a version where both changed the same field. The rest is kept from both.'}
      </p>
      <ChoiceTable className={classes.versions}>
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
                const value = <ReadOnlyValue field={field} value={keep ? my : theirs} />;
                return (
                  <td key={String(keep)} data-kept={stays || undefined}>
                    {by === 'both' ? (
                      <RadioChoice
                        name={`${group} ${field.name}`}
                        checked={stays}
                        onChoose={() => choose(field.name, keep)}
                      >
                        {value}
                      </RadioChoice>
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
      </ChoiceTable>
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
