import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { outsideShell } from '#/paths';
import { ErrorBox, NoticeBox } from '#/ui/ErrorBox';
import textClasses from '#/ui/Text.module.css';
import { Brand } from './Brand';
import classes from './signedOut.module.css';

interface Props {
  title: string;
  error?: string;
  /** Whether the error takes focus; false when a field takes it. */
  focusError?: boolean;
  notice?: string;
  /** Whether the logo links to the start page; false on pages that must be completed. */
  home?: boolean;
  wide?: boolean;
  children: ReactNode;
}

/**
 * A card in the middle of the window. Errors and notices replace the title, so that nothing below
 * moves.
 */
export function CardFrame({
  title,
  error,
  focusError,
  notice,
  home = true,
  wide,
  children,
}: Props) {
  useEffect(() => {
    document.title = `${title} – Larder`;
  }, [title]);
  return (
    <div className={classes.page}>
      <header>
        {home ? (
          <Link to={outsideShell.home} className={classes.home} aria-label="Larder, back to start">
            <Brand />
          </Link>
        ) : (
          <Brand />
        )}
      </header>
      <main className={classes.card} data-wide={wide || undefined}>
        <div className={classes.cardHead}>
          <h1 className={error || notice ? 'sr-only' : textClasses.heading}>{title}</h1>
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
