import type { ReactNode } from 'react';
import { initials } from '../labels';
import classes from './Avatar.module.css';

interface Props {
  name: string;
  email?: string;
  large?: boolean;
}

/** Initials on a colour derived from the person. */
export function Avatar({ name, email = '', large }: Props) {
  return (
    <span
      className={classes.avatar}
      data-tone={tone(email || name)}
      data-large={large || undefined}
      aria-hidden
    >
      {initials(name, email)}
    </span>
  );
}

function tone(text: string): number {
  let sum = 0;
  for (const letter of text.toLowerCase()) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return sum % 4;
}

/** The avatar with the name beside it. */
export function Person({ name, email, children }: Props & { children?: ReactNode }) {
  return (
    <span className={classes.person}>
      <Avatar name={name} email={email} />
      <span className={classes.name}>{name || email}</span>
      {children}
    </span>
  );
}
