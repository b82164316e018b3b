import type { KeyboardEvent } from 'react';
import { numberField } from '#/ui/numberField';
import { kindOfUnit, type NumberKind } from '#/ui/numberInput';
import classes from './QtyInput.module.css';

interface Props {
  id?: string;
  label: string;
  unit: string;
  /** How it is parsed, if the unit does not decide. */
  reads?: NumberKind;
  value: string;
  placeholder?: string;
  error?: string;
  onChange(value: string): void;
}

/** Moves on to the next quantity of the screen, as the keypad's Enter is expected to. */
function toNext(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  const all = [...document.querySelectorAll<HTMLInputElement>(`.${classes.input}`)];
  const next = all[all.indexOf(event.currentTarget) + 1];
  if (next) next.focus();
  else event.currentTarget.blur();
}

/** A quantity typed with the thumb: numeric keypad, and typing replaces the old value. */
export function QtyInput({ id, label, unit, reads, value, placeholder, error, onChange }: Props) {
  return (
    <span className={classes.field} data-error={error ? true : undefined}>
      <input
        id={id}
        className={classes.input}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        {...numberField(reads ?? kindOfUnit(unit), unit)}
        enterKeyHint="next"
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={toNext}
      />
      <span className={classes.unit} aria-hidden>
        {unit}
      </span>
    </span>
  );
}
