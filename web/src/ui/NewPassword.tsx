import { PasswordInput } from '@mantine/core';
import { type Ref, useId, useState } from 'react';
import classes from './NewPassword.module.css';
import { type Level, strength } from './strength';

interface Props {
  value: string;
  onChange(value: string): void;
  label?: string;
  minimum?: number;
  /** Name, address, company: what the password should not contain. */
  about?: readonly string[];
  error?: string;
  autoFocus?: boolean;
  ref?: Ref<HTMLInputElement>;
}

const FILLED: Record<Level, number> = { none: 0, short: 1, weak: 1, fair: 2, good: 3 };

/** A new password, with advice as it is typed. */
export function NewPassword(props: Props) {
  const { value, onChange, label = 'New password', minimum, about, error, autoFocus, ref } = props;
  const [shown, setShown] = useState(false);
  const id = useId();
  const { level, advice } = strength(value, minimum, about);

  return (
    <div>
      <PasswordInput
        ref={ref}
        label={label}
        name="new-password"
        autoComplete="new-password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        visible={shown}
        onVisibilityChange={setShown}
        visibilityToggleButtonProps={{
          'aria-label': shown ? 'Hide password' : 'Show password',
          tabIndex: 0,
        }}
        aria-describedby={id}
        error={error}
        autoFocus={autoFocus}
        data-autofocus={autoFocus || undefined}
        spellCheck={false}
        autoCapitalize="off"
        required
      />
      <div className={classes.bars} data-level={level} aria-hidden>
        {[1, 2, 3].map((bar) => (
          <span key={bar} data-on={FILLED[level] >= bar || undefined} />
        ))}
      </div>
      <p id={id} className={classes.advice} aria-live="polite">
        {advice}
      </p>
    </div>
  );
}
