import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { count } from '#/ui/format';
import classes from './DataTable.module.css';
import type { BulkAction } from './types';

interface Props<T> {
  rows: T[];
  actions: readonly BulkAction<T>[] | undefined;
  onClear(): void;
}

/** What can be done with the selected rows. */
export function SelectionBar<T>({ rows, actions, onClear }: Props<T>) {
  const offered = actions?.filter(({ shown }) => shown?.(rows) !== false);
  return (
    <section className={classes.bar} aria-label="Selection" data-foot>
      <strong className="num">{count(rows.length)} selected</strong>
      <span className={classes.barLine} />
      {offered?.map(({ label, danger, run }) => (
        <Button
          key={label}
          size="xs"
          variant="default"
          c={danger ? 'var(--danger)' : undefined}
          onClick={() => run(rows, onClear)}
        >
          {label}
        </Button>
      ))}
      <button
        type="button"
        className={classes.barClose}
        aria-label="Clear selection"
        onClick={onClear}
      >
        <IconX size={17} aria-hidden />
      </button>
    </section>
  );
}
