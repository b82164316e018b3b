import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

interface Props {
  icon: Icon;
  title: string;
  text?: ReactNode;
  /** The one next step. */
  action?: ReactNode;
  role?: 'alert' | 'status';
  compact?: boolean;
  /** It is the whole page, so its title is the h1. */
  page?: boolean;
}

/** A message in place of content: why there is none, and what to do. */
export function EmptyState({ icon: Picture, title, text, action, role, compact, page }: Props) {
  const Heading = page ? 'h1' : 'h2';
  return (
    <div className={classes.root} data-empty data-compact={compact || undefined} role={role}>
      <Picture size={compact ? 28 : 40} stroke={1.4} className={classes.icon} aria-hidden />
      <Heading className={classes.title}>{title}</Heading>
      {text && <p className={classes.text}>{text}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
