import { Button, Group, Modal } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useNameOf } from '#/api/names';
import { day, MISSING, qty } from '#/ui/format';
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
  const { conflicts } = useMemo(
    () => merge(fields, stale.base, mine, toWire(fields, fromRecord(fields, stale.theirs))),
    [fields, stale, mine],
  );
  const [kept, setKept] = useState<ReadonlySet<string>>(
    () => new Set(conflicts.map(({ field }) => field.name)),
  );
  const choose = (name: string, keep: boolean) => {
    const next = new Set(kept);
    if (keep) next.add(name);
    else next.delete(name);
    setKept(next);
  };

  return (
    <Modal
      opened
      onClose={onClose}
      title="Changed by someone else"
      size={620}
      classNames={{ title: classes.title }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <p className={classes.text}>{stale.problem.message}</p>
      {conflicts.length === 0 ? (
        <p className={classes.text}>
          You changed different fields, so both sets of changes can be kept.
        </p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th>Field</th>
              <th>Yours</th>
              <th>Theirs</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map(({ field, mine: my, theirs }) => (
              <tr key={field.name}>
                <th scope="row">{field.label}</th>
                {[true, false].map((keep) => (
                  <td key={String(keep)}>
                    <label className={classes.choice}>
                      <input
                        type="radio"
                        name={field.name}
                        checked={kept.has(field.name) === keep}
                        onChange={() => choose(field.name, keep)}
                      />
                      <Shown field={field} value={keep ? my : theirs} />
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
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

function Shown({ field, value }: { field: Field; value: unknown }) {
  const names = useNameOf(field.kind === 'ref' ? field.of : '', field.kind === 'ref');
  if (value === null || value === undefined || value === '') return <span>{MISSING}</span>;
  if (field.kind === 'ref') return <span>{names.get(String(value))?.name ?? String(value)}</span>;
  if (field.kind === 'parent' || field.kind === 'enum') {
    const option = field.options.find((one) => one.value === value);
    return <span>{option?.label.trim() ?? String(value)}</span>;
  }
  if (field.kind === 'boolean') return <span>{value ? 'Yes' : 'No'}</span>;
  if (field.kind === 'date') return <span>{day(String(value))}</span>;
  if (field.kind === 'table') return <span>{(value as unknown[]).length} lines</span>;
  return <span>{typeof value === 'number' ? qty(value) : String(value)}</span>;
}
