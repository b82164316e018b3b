import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { FocusEvent, ReactNode } from 'react';
import { DateInput } from '#/ui/DateInput';
import { numberField } from '#/ui/numberField';
import { faultOf, kindOfUnit, type NumberKind, showNumber } from '#/ui/numberInput';
import { sum } from '#/ui/sums';
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
  /** The error from the server or the screen. */
  error?: string | undefined;
  phone: boolean;
}

/** How a cell's number is parsed. */
export function readsAs(edit: Edit<unknown>, row: unknown): NumberKind | undefined {
  if (edit.kind !== 'number') return undefined;
  return edit.reads?.(row) ?? kindOfUnit(edit.unit?.(row), edit.whole?.(row));
}

/** The text of a saved value. */
export function savedText(edit: Edit<unknown>, row: unknown): string {
  const saved = edit.value(row);
  const as = readsAs(edit, row);
  return as && typeof saved === 'number' ? showNumber(saved, as) : String(saved ?? '');
}

/** One editable cell: a native field, always rendered, so that moving through the grid costs nothing. */
export function EntryCell({ edit, row, at, id, column, label, model, error, phone }: Props) {
  const saved = edit.value(row);
  const typed = model.text(id, column);
  const as = readsAs(edit, row);
  const reading = typed !== undefined ? model.kindOf(id, column) : as;
  const unit = edit.unit?.(row) ?? '';
  const text = typed ?? savedText(edit, row);
  const value = as && reading ? readNumber(text, reading) : null;
  const changed = typed !== undefined && (as ? value !== saved : typed !== (saved ?? ''));
  const wrong =
    !as || !reading
      ? null
      : Number.isNaN(value)
        ? faultOf(text, reading, unit)
        : (edit.check?.(value, row) ?? null);
  const message = wrong ?? error;
  const set = (next: string) => model.set([{ row: id, column, text: next, ...(as && { as }) }]);

  if (edit.options) {
    const options = edit.options(row);
    const chosen = options.find((option) => option.value === text)?.label;
    const select = (
      <select
        className={classes.input}
        data-text
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
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    );
    return <OnPaper text={chosen ?? ''}>{select}</OnPaper>;
  }

  if (edit.kind === 'date') {
    return (
      <DateInput
        className={classes.input}
        enterKeyHint="next"
        aria-label={label}
        aria-invalid={message ? true : undefined}
        title={message ?? undefined}
        data-row={at}
        data-column={column}
        data-changed={changed || undefined}
        value={text}
        onChange={set}
        onInput={(event) => {
          event.currentTarget.dataset.editing = 'true';
        }}
        onFocus={(event) => {
          event.currentTarget.dataset.editing = 'false';
          event.currentTarget.select();
        }}
      />
    );
  }

  const input = (
    <input
      className={classes.input}
      type="text"
      autoComplete="off"
      {...(as && numberField(as, unit))}
      enterKeyHint="next"
      aria-label={label}
      aria-invalid={message ? true : undefined}
      title={message ?? undefined}
      placeholder={edit.placeholder?.(row)}
      data-row={at}
      data-column={column}
      data-right={edit.kind === 'number' || undefined}
      data-text={edit.kind === 'text' || undefined}
      data-changed={changed || undefined}
      value={text}
      onChange={(event) => {
        event.currentTarget.dataset.editing = 'true';
        set(event.currentTarget.value);
      }}
      onFocus={(event: FocusEvent<HTMLInputElement>) => {
        event.currentTarget.dataset.editing = 'false';
        event.currentTarget.select();
      }}
    />
  );
  if (edit.kind === 'text') return <OnPaper text={text}>{input}</OnPaper>;
  if (!phone || edit.kind !== 'number') return input;
  const step = (by: number) => {
    const from = value === null || Number.isNaN(value) ? 0 : value;
    set(showNumber(sum([Math.max(0, from + by)]), as ?? 'divisible'));
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

/** A field, and on paper its text, which a field would cut. */
function OnPaper({ text, children }: { text: string; children: ReactNode }) {
  return (
    <>
      {children}
      <span className={classes.written} aria-hidden>
        {text}
      </span>
    </>
  );
}
