import { type ReactNode, useEffect, useRef } from 'react';
import { Link, type To } from 'react-router';
import classes from './PageTabs.module.css';

interface Props {
  /** For screen readers: «About Chicken wings». */
  label: string;
  tabs: readonly { value: string; to: To; label: ReactNode }[];
  current: string;
  className?: string;
}

/** The tabs below a page's title; each is a link. */
export function PageTabs({ label, tabs, current, className = '' }: Props) {
  const list = useRef<HTMLElement>(null);

  // On a phone the tabs scroll sideways: scroll to the open one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `current` is the trigger
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (open && list.current) list.current.scrollLeft = open.offsetLeft - 60;
  }, [current]);

  return (
    <nav className={`no-print ${classes.tabs} ${className}`.trim()} aria-label={label} ref={list}>
      {tabs.map(({ value, to, label: name }) => (
        <Link
          key={value}
          to={to}
          className={classes.tab}
          aria-current={value === current ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
