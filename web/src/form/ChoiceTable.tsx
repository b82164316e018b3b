import type { ReactNode } from 'react';
import classes from './ChoiceTable.module.css';

interface Props {
  /** Names the table and lets the keyboard scroll it. */
  label?: string;
  /** Adds to its style: `--table-height` limits its height, `--cell-height` sets the cells' padding. */
  className?: string;
  children: ReactNode;
}

/** A scrolling table to compare versions or records and choose values with `RadioChoice`. */
export function ChoiceTable({ label, className = '', children }: Props) {
  const table = <table className={classes.table}>{children}</table>;
  const style = `${classes.scroll} ${className}`;
  if (!label) return <div className={style}>{table}</div>;
  return (
    <section className={style} tabIndex={0} aria-label={label}>
      {table}
    </section>
  );
}

interface ChoiceProps {
  /** Choices with the same name exclude each other. */
  name: string;
  checked: boolean;
  onChoose(): void;
  children: ReactNode;
}

export function RadioChoice({ name, checked, onChoose, children }: ChoiceProps) {
  return (
    <label className={classes.choice}>
      <input type="radio" name={name} checked={checked} onChange={onChoose} />
      {children}
    </label>
  );
}
