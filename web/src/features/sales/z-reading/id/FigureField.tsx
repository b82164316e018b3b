import { type KeyboardEvent, useId } from 'react';
import type { Field } from '../fields';
import classes from './Review.module.css';

interface Props {
  field: Field;
  value: string;
  error?: string | null;
  /** Why it has to be looked at. */
  doubt?: string | null;
  /** It was looked at. */
  confirmed?: boolean;
  readOnly?: boolean;
  onChange(value: string): void;
  onFocus?(): void;
  onEnter?(event: KeyboardEvent<HTMLInputElement>): void;
}

/** One figure with its name; native, since a reading has forty of them. */
export function FigureField(props: Props) {
  const { field, value, error, doubt, confirmed, readOnly } = props;
  const id = useId();
  const says = error ?? (doubt && !confirmed ? doubt : null);
  return (
    <div
      className={classes.field}
      data-doubt={(doubt && !confirmed) || undefined}
      data-confirmed={(doubt && confirmed) || undefined}
    >
      <label htmlFor={id}>{field.label}</label>
      <input
        id={id}
        name={field.name}
        type={field.kind === 'date' ? 'date' : 'text'}
        inputMode={
          field.kind === 'money' ? 'decimal' : field.kind === 'count' ? 'numeric' : undefined
        }
        className={field.kind === 'money' || field.kind === 'count' ? 'num' : undefined}
        data-number={field.kind === 'money' || field.kind === 'count' || undefined}
        autoComplete="off"
        readOnly={readOnly}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={says ? `${id}-says` : undefined}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        onFocus={(event) => {
          if (field.kind !== 'date') event.currentTarget.select();
          props.onFocus?.();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) props.onEnter?.(event);
        }}
      />
      {says && (
        <span id={`${id}-says`} className={error ? classes.fault : classes.says}>
          {says}
        </span>
      )}
    </div>
  );
}
