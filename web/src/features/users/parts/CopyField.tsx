import { Button, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import classes from './CopyField.module.css';

interface Props {
  label: string;
  value: string;
  large?: boolean;
  /** Copies it as soon as it appears. */
  atOnce?: boolean;
}

/** A read-only value with a copy button. */
export function CopyField({ label, value, large, atOnce }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'idle' | 'copied' | 'byHand'>('idle');

  const copy = useCallback(async () => {
    const copied = await copyText(value, field.current);
    setState(copied ? 'copied' : 'byHand');
    if (!copied) field.current?.select();
  }, [value]);

  useEffect(() => {
    if (atOnce) void copy();
  }, [atOnce, copy]);

  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('idle'), 2500);
    return () => clearTimeout(timer);
  }, [state]);

  const copied = state === 'copied';
  const Mark = copied ? IconCheck : IconCopy;
  return (
    <div>
      <div className={classes.field}>
        <TextInput
          ref={field}
          className={classes.input}
          data-large={large || undefined}
          label={label}
          value={value}
          readOnly
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          className={large ? classes.large : undefined}
          variant={copied ? 'light' : 'filled'}
          miw={104}
          leftSection={<Mark size={16} aria-hidden />}
          onClick={() => void copy()}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p className={classes.note} aria-live="polite">
        {state === 'copied' && 'Copied to the clipboard.'}
        {state === 'byHand' && 'This browser does not let us copy: press Ctrl+C.'}
      </p>
    </div>
  );
}

async function copyText(text: string, field: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without TLS there is no clipboard API: select the field and use `execCommand`.
    if (!field) return false;
    field.focus();
    field.select();
    try {
      return document.execCommand('copy');
    } catch {
      return false;
    }
  }
}
