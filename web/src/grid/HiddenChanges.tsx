import { Button } from '@mantine/core';
import { plural } from '#/ui/format';
import { useStamp } from './EntryGrid';
import classes from './HiddenChanges.module.css';
import type { GridModel } from './model';

interface Props {
  model: GridModel;
  /** The ids of the rows that the filter lets through. */
  shown: readonly string[];
  onShowAll(): void;
}

/** Says that a filter hides lines that were changed and are saved with the others. */
export function HiddenChanges({ model, shown, onShowAll }: Props) {
  useStamp(model);
  const visible = new Set(shown);
  const hidden = model.rows().filter((row) => !visible.has(row)).length;
  return (
    <output className={hidden > 0 ? `${classes.note} no-print` : undefined}>
      {hidden > 0 && (
        <>
          {plural(hidden, 'changed line')} not shown by the filter.
          <Button size="compact-xs" variant="light" onClick={onShowAll}>
            Show all lines
          </Button>
        </>
      )}
    </output>
  );
}
