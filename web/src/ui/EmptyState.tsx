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
  /** It stands for the whole page, whose heading it then is. */
  page?: boolean;
}

/** Nothing here: why, and what to do about it. */
export function EmptyState({ icon: Picture, title, text, action, role, compact, page }: Props) {
  const Heading = page ? 'h1' : 'h2';
  return (
    <div className={classes.root} data-compact={compact || undefined} role={role}>
      <Picture size={compact ? 28 : 40} stroke={1.4} className={classes.icon} aria-hidden />
      <Heading className={classes.title}>{title}</Heading>
      {text && <p className={classes.text}>{text}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
