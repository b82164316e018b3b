import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { outside } from '#/paths';
import { ErrorBox, NoticeBox } from '#/ui/ErrorBox';
import { Brand } from './Brand';
import classes from './outside.module.css';

interface Props {
  title: string;
  error?: string;
  /** Whether the error takes the keyboard; not where a field does. */
  focusError?: boolean;
  notice?: string;
  /** Where the mark leads; nowhere from a page that must be finished. */
  home?: boolean;
  wide?: boolean;
  children: ReactNode;
}

/**
 * A card in the middle of the window. What has to be said takes the place of the title, so that
 * nothing below it moves.
 */
export function Frame({ title, error, focusError, notice, home = true, wide, children }: Props) {
  useEffect(() => {
    document.title = `${title} – Larder`;
  }, [title]);
  return (
    <div className={classes.page}>
      <header>
        {home ? (
          <Link to={outside.home} className={classes.home} aria-label="Larder, back to start">
            <Brand />
          </Link>
        ) : (
          <Brand />
        )}
      </header>
      <main className={classes.card} data-wide={wide || undefined}>
        <div className={classes.cardHead}>
          <h1 className={error || notice ? 'sr-only' : classes.title}>{title}</h1>
          {error ? (
            <ErrorBox focus={focusError}>{error}</ErrorBox>
          ) : (
            notice && <NoticeBox>{notice}</NoticeBox>
          )}
        </div>
        {children}
      </main>
    </div>
  );
}
