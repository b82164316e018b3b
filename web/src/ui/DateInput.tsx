import type { ComponentProps } from 'react';
import { isTouch, useDateText } from './useDateText';

interface Props
  extends Omit<
    ComponentProps<'input'>,
    'value' | 'defaultValue' | 'onChange' | 'type' | 'min' | 'max'
  > {
  /** `YYYY-MM-DD`, or empty. Invalid text is passed on as is, and refused: it is not «none». */
  value: string;
  min?: string;
  max?: string;
  onChange(day: string): void;
}

/**
 * `DateField` without a frame, for rows and cells; Alt and the arrow down open the calendar. An empty one stays empty:
 * among values, an example of a date is taken for one.
 */
export function DateInput({ value, min, max, onChange, onBlur, onKeyDown, ...rest }: Props) {
  const date = useDateText(value, onChange, { min, max });
  return (
    <input
      {...rest}
      type="text"
      autoComplete="off"
      inputMode={isTouch() ? 'none' : undefined}
      value={date.text}
      aria-invalid={rest['aria-invalid'] || date.fault ? true : undefined}
      title={date.fault ?? rest.title}
      onChange={(event) => date.type(event.currentTarget.value)}
      onClick={(event) => !rest.readOnly && isTouch() && date.open(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.altKey && event.key === 'ArrowDown') {
          event.preventDefault();
          event.stopPropagation();
          date.open(event.currentTarget);
        } else onKeyDown?.(event);
      }}
      onBlur={(event) => {
        date.leave();
        onBlur?.(event);
      }}
    />
  );
}
