import { TextInput } from '@mantine/core';
import { type ClipboardEvent, type Ref, useRef, useState } from 'react';
import classes from './CodeInput.module.css';

const LENGTH = 6;

interface Props {
  label?: string;
  busy?: boolean;
  autoFocus?: boolean;
  error?: string;
  ref?: Ref<HTMLInputElement>;
  /** Called with six digits: typed, pasted or filled in by the phone. */
  onCode(code: string): void;
}

export function digits(text: string): string {
  return text.replace(/\D/g, '').slice(0, LENGTH);
}

/** One field for the six digits of an authenticator app. It submits itself when full. */
export function CodeInput({ label = 'Code', busy, autoFocus, error, ref, onCode }: Props) {
  const [code, setCode] = useState('');
  const sent = useRef('');

  function take(text: string): void {
    const next = digits(text);
    setCode(next);
    if (next.length < LENGTH) sent.current = '';
    else if (next !== sent.current) {
      sent.current = next;
      onCode(next);
    }
  }

  return (
    <TextInput
      ref={ref}
      label={label}
      value={code}
      onChange={(event) => take(event.currentTarget.value)}
      onPaste={(event: ClipboardEvent<HTMLInputElement>) => {
        // «123 456» is longer than the field and would be cut before it could be cleaned.
        event.preventDefault();
        take(event.clipboardData.getData('text'));
      }}
      inputMode="numeric"
      autoComplete="one-time-code"
      name="one-time-code"
      pattern="[0-9]*"
      maxLength={LENGTH}
      readOnly={busy}
      autoFocus={autoFocus}
      data-autofocus={autoFocus || undefined}
      error={error}
      required
      classNames={{ input: classes.input }}
    />
  );
}
