import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ErrorBox } from '#/ui/ErrorBox';
import classes from './Builder.module.css';

interface Props {
  title: string;
  /** A short hint about this part. */
  hint: string;
  /** Why the server refused it. */
  error?: string | undefined;
  children: ReactNode;
}

/** A part of the builder with its heading. */
export function Part({ title, hint, error, children }: Props) {
  return (
    <section className={classes.part} aria-label={title}>
      <h2 className={classes.partTitle}>{title}</h2>
      <span className="sr-only">{hint}</span>
      {error && <ErrorBox focus>{error}</ErrorBox>}
      {children}
    </section>
  );
}

interface LineProps {
  label: string;
  at: number;
  many: number;
  children?: ReactNode;
  onMove?(by: -1 | 1): void;
  onRemove(): void;
}

/** A chosen field, with buttons to move and remove it. */
export function Line({ label, at, many, children, onMove, onRemove }: LineProps) {
  return (
    <li className={classes.line}>
      <div className={classes.lineHead}>
        <span className={classes.lineName} title={label}>
          {label}
        </span>
        {onMove && many > 1 && (
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={`Move ${label} up`}
              disabled={at === 0}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={15} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={`Move ${label} down`}
              disabled={at === many - 1}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={15} aria-hidden />
            </ActionIcon>
          </>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          aria-label={`Remove ${label}`}
          onClick={onRemove}
        >
          <IconX size={15} aria-hidden />
        </ActionIcon>
      </div>
      {children}
    </li>
  );
}
