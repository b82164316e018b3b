import { type FocusEvent, type KeyboardEvent, useId } from 'react';
import { DateInput } from '#/ui/DateInput';
import { numberField } from '#/ui/numberField';
import type { Field } from '../fields';
import { readsAs } from '../form';
import classes from './Review.module.css';

interface Props {
  field: Field;
  value: string;
  error?: string | null;
  /** Why to check it. */
  doubt?: string | null;
  /** It has been checked. */
  confirmed?: boolean;
  readOnly?: boolean;
  onChange(value: string): void;
  onFocus?(): void;
  onEnter?(event: KeyboardEvent<HTMLInputElement>): void;
}

/** One labelled figure; a native field, since a reading has forty of them. */
export function FigureField(props: Props) {
  const { field, value, error, doubt, confirmed, readOnly } = props;
  const id = useId();
  const figure = field.kind === 'money' || field.kind === 'count';
  const says = error ?? (doubt && !confirmed ? doubt : null);
  const common = {
    id,
    name: field.name,
    autoComplete: 'off',
    readOnly,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': says ? `${id}-says` : undefined,
    // What is typed replaces what was read.
    onFocus: (event: FocusEvent<HTMLInputElement>) => {
      event.currentTarget.select();
      props.onFocus?.();
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) props.onEnter?.(event);
    },
  };
  return (
    <div
      className={classes.field}
      data-doubt={(doubt && !confirmed) || undefined}
      data-confirmed={(doubt && confirmed) || undefined}
    >
      <label htmlFor={id}>{field.label}</label>
      {field.kind === 'date' ? (
        <DateInput {...common} value={value} onChange={props.onChange} />
      ) : (
        <input
          {...common}
          type="text"
          {...(figure && numberField(readsAs(field.kind)))}
          className={figure ? 'num' : undefined}
          value={value}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        />
      )}
      {says && (
        <span id={`${id}-says`} className={error ? classes.fault : classes.says}>
          {says}
        </span>
      )}
    </div>
  );
}
