import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { numberField } from './numberField';
import { faultOf, type NumberKind, numberOf, showNumber } from './numberInput';

interface Props extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  reads: NumberKind;
  unit?: string;
  value: number | null | undefined;
  min?: number;
  max?: number;
  /** Null for an empty or invalid field. */
  onChange(value: number | null): void;
}

/** A number field for forms that hold numbers, not texts. */
export function NumericInput(props: Props) {
  const { reads, unit, value, min, max, onChange, error, ...rest } = props;
  const [typed, setTyped] = useState<string | null>(null);
  // The typed text stays as long as the form holds its number.
  const own = typed !== null && numberOf(typed, reads) === (value ?? null);
  const text = own ? typed : showNumber(value, reads);
  return (
    <TextInput
      {...rest}
      {...numberField(reads, unit)}
      classNames={{ input: 'num' }}
      value={text}
      error={faultIn(text, reads, unit, min, max) ?? error}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setTyped(next);
        onChange(numberOf(next, reads));
      }}
    />
  );
}

function faultIn(text: string, reads: NumberKind, unit?: string, min?: number, max?: number) {
  if (text.trim() === '') return null;
  const value = numberOf(text, reads);
  if (value === null) return faultOf(text, reads, unit);
  if (reads === 'whole' && !Number.isInteger(value)) return 'Enter a whole number.';
  const outside = (min !== undefined && value < min) || (max !== undefined && value > max);
  if (!outside) return null;
  if (min !== undefined && max !== undefined) return `Enter ${min} to ${max}.`;
  return min === undefined ? `Enter ${max} or less.` : `Enter ${min} or more.`;
}
