import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { outsideShell } from '#/paths';
import textClasses from '#/ui/Text.module.css';
import classes from './Screen.module.css';
import { storeLabel, useOpenStore } from './store';

interface Props {
  title: string;
  /** The target of the back arrow. */
  back?: { to: string; label: string };
  text?: ReactNode;
  children: ReactNode;
  /** Stays at the bottom, in reach of the thumb. */
  dock?: ReactNode;
}

/** One screen of the branch app: back link, title, and its button at the bottom. */
export function Screen({ title, back, text, children, dock }: Props) {
  const { store } = useOpenStore();
  const { to, label } = back ?? { to: outsideShell.branchOps, label: 'Today' };
  return (
    <>
      <main className={classes.main} data-dock={dock ? true : undefined}>
        <Link to={to} className={classes.back}>
          <IconChevronLeft size={20} stroke={1.8} aria-hidden />
          {label}
        </Link>
        <h1 className={`${textClasses.heading} ${classes.title}`}>{title}</h1>
        <p className={classes.sub}>{text ?? storeLabel(store)}</p>
        {children}
      </main>
      {dock && <div className={classes.dock}>{dock}</div>}
    </>
  );
}
