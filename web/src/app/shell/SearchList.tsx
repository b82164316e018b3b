import { IconAlertTriangle } from '@tabler/icons-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { markMatches } from './match';
import classes from './Search.module.css';
import type { Hit, HitGroup } from './useSearch';

interface Props {
  id: string;
  groups: readonly HitGroup[];
  typed: string;
  /** The marked line. */
  at: number;
  optionId(index: number): string;
  settled: boolean;
  failed: boolean;
  onRetry(): void;
  onMark(hit: Hit): void;
  onTake(hit: Hit, tab?: boolean): void;
}

/** The results in one list; pages are links, so that they can be opened in a new tab. */
export function SearchList(props: Props) {
  const { id, groups, typed, at, settled, failed } = props;
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const marked = frame.current?.querySelector(`[data-at="${at}"]`);
    marked?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  let index = -1;
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  return (
    <div className={classes.frame} ref={frame}>
      {count > 0 && (
        <div id={id} role="listbox" aria-label="Found">
          {groups.map(({ title, hits }) => (
            <div key={title ?? ''} role="group" aria-label={title ?? 'Best first'}>
              {title && (
                <div className={classes.group} aria-hidden>
                  {title}
                </div>
              )}
              {hits.map((hit) => {
                index += 1;
                return <Option key={hit.key} {...props} hit={hit} index={index} />;
              })}
            </div>
          ))}
        </div>
      )}
      {count === 0 && settled && !failed && (
        <p className={classes.none}>
          {typed.trim() ? (
            <>
              Nothing matches <strong>“{typed.trim()}”</strong>. Check the spelling, or search by a
              code or a number.
            </>
          ) : (
            'Type a name or a code.'
          )}
        </p>
      )}
      {failed && (
        <p className={classes.failed} role="alert">
          <IconAlertTriangle size={16} aria-hidden />
          The search did not answer.
          <button type="button" onClick={props.onRetry}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

function Option({
  hit,
  index,
  at,
  typed,
  optionId,
  onMark,
  onTake,
}: Props & { hit: Hit; index: number }) {
  const { icon: Picture, title, note, code, path } = hit;
  const common = {
    id: optionId(index),
    'aria-selected': index === at,
    'data-at': index,
    className: classes.option,
    // `mousemove`, not `mouseenter`: lines that scroll under a resting pointer must not be marked.
    onMouseMove: () => index !== at && onMark(hit),
  } as const;
  const face = (
    <>
      <Picture size={19} stroke={1.5} className={classes.icon} aria-hidden />
      <span className={classes.texts}>
        <span className={classes.title}>
          {markMatches(title, typed).map(({ text, hit: typedHere }, i) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity
            typedHere ? <mark key={i}>{text}</mark> : <span key={i}>{text}</span>,
          )}
        </span>
        <span className={classes.note}>{note}</span>
      </span>
      {code && code !== title && <span className={classes.code}>{code}</span>}
    </>
  );
  if (!path) {
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard is in the box
      <div role="option" tabIndex={-1} {...common} onClick={() => onTake(hit)}>
        {face}
      </div>
    );
  }
  return (
    <Link
      role="option"
      tabIndex={-1}
      {...common}
      to={path}
      onClick={(event: MouseEvent) => {
        // Leave clicks that open a new tab or window to the browser.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onTake(hit);
      }}
    >
      {face}
    </Link>
  );
}
