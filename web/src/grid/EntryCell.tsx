import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { FocusEvent } from 'react';
import { evaluate, isSum } from '#/ui/arithmetic';
import classes from './EntryGrid.module.css';
import { type GridModel, readNumber } from './model';
import type { Edit } from './types';

interface Props {
  edit: Edit<unknown>;
  row: unknown;
  at: number;
  id: string;
  column: string;
  label: string;
  model: GridModel;
  /** What the server, or the screen, finds wrong with it. */
  error?: string | undefined;
  phone: boolean;
}

/** One cell that is typed into: a native field, always there, so that moving through the grid costs nothing. */
export function EntryCell({ edit, row, at, id, column, label, model, error, phone }: Props) {
  const saved = edit.value(row);
  const typed = model.text(id, column);
  const text = typed ?? (saved == null ? '' : String(saved));
  const changed = typed !== undefined && typed !== (saved == null ? '' : String(saved));
  const value = edit.kind === 'number' ? readNumber(text) : null;
  const wrong =
    edit.kind !== 'number'
      ? null
      : Number.isNaN(value)
        ? 'Enter a number.'
        : (edit.check?.(value, row) ?? null);
  const message = wrong ?? error;
  const set = (next: string) => model.set([{ row: id, column, text: next }]);

  if (edit.options) {
    return (
      <select
        className={classes.input}
        aria-label={label}
        title={message ?? undefined}
        aria-invalid={message ? true : undefined}
        data-row={at}
        data-column={column}
        data-changed={changed || undefined}
        value={text}
        onChange={(event) => set(event.currentTarget.value)}
      >
        {edit.placeholder && <option value="">{edit.placeholder(row)}</option>}
        {edit.options(row).map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  }

  const input = (
    <input
      className={classes.input}
      type={edit.kind === 'date' ? 'date' : 'text'}
      inputMode={edit.kind === 'number' ? 'decimal' : undefined}
      enterKeyHint="next"
      autoComplete="off"
      aria-label={label}
      aria-invalid={message ? true : undefined}
      title={message ?? undefined}
      placeholder={edit.placeholder?.(row)}
      data-row={at}
      data-column={column}
      data-right={edit.kind === 'number' || undefined}
      data-changed={changed || undefined}
      value={text}
      onChange={(event) => {
        event.currentTarget.dataset.editing = 'true';
        set(event.currentTarget.value);
      }}
      onFocus={(event: FocusEvent<HTMLInputElement>) => {
        event.currentTarget.dataset.editing = 'false';
        if (edit.kind !== 'date') event.currentTarget.select();
      }}
      onBlur={() => {
        // «12*6+3» is worked out once it is left.
        if (edit.kind !== 'number' || typed === undefined || !isSum(typed)) return;
        const worth = evaluate(typed);
        if (worth !== null) set(String(worth));
      }}
    />
  );
  if (!phone || edit.kind !== 'number') return input;
  const step = (by: number) => {
    const from = value === null || Number.isNaN(value) ? 0 : value;
    set(String(Math.max(0, from + by)));
    model.commit();
  };
  return (
    <span className={classes.stepper}>
      <button type="button" aria-label={`One less, ${label}`} onClick={() => step(-1)}>
        <IconMinus size={18} aria-hidden />
      </button>
      {input}
      <button type="button" aria-label={`One more, ${label}`} onClick={() => step(1)}>
        <IconPlus size={18} aria-hidden />
      </button>
    </span>
  );
}
