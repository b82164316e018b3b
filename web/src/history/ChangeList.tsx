import type { ReactNode } from 'react';
import classes from './ChangeList.module.css';

interface ListProps {
  /** Adds to its style: `--label-width` and `--value-height` size the labels and values. */
  className?: string;
  children: ReactNode;
}

/** Changed fields of a record, one row each. */
export function ChangeList({ className = '', children }: ListProps) {
  return <dl className={`${classes.changes} ${className}`.trim()}>{children}</dl>;
}

export function ChangeRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.change}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A value before → after; only the new one of a created record, only the old one of a deleted one. */
export function BeforeAfter(props: { action?: string; before: string; after: string }) {
  const { action, before, after } = props;
  if (action === 'created') return <ins>{after}</ins>;
  if (action === 'deleted') return <del>{before}</del>;
  return (
    <>
      <del>{before}</del>
      <span className={classes.arrow} aria-hidden>
        →
      </span>
      <span className="sr-only">became</span>
      <ins>{after}</ins>
    </>
  );
}
