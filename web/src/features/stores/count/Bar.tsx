import { Button } from '@mantine/core';
import { IconBarcode, IconListCheck, IconSearch } from '@tabler/icons-react';
import { memo, type RefObject } from 'react';
import { canScan } from '#/ui/Scan';
import classes from './Count.module.css';
import { type Cursor, useIsCounting } from './cursor';
import { SyncBadge } from './SyncBadge';
import { useProgress } from './useCount';

interface Props {
  cursor: Cursor;
  find: string;
  /** The search field. */
  box: RefObject<HTMLInputElement | null>;
  mayCount: boolean;
  /** The count cannot be finished now. */
  closed: boolean;
  /** Finished, and not opened again. */
  finished: boolean;
  /** Was finished before, and opened again. */
  again: boolean;
  onFind(typed: string): void;
  /** Opens the first item found. */
  onFirst(): void;
  onScan(): void;
  onFinish(): void;
  onWaiting(): void;
}

/** The bar that stays visible: progress, sync status, search, scan and finish. */
export const Bar = memo(function Bar(props: Props) {
  const {
    cursor,
    find,
    box,
    mayCount,
    closed,
    finished,
    again,
    onFind,
    onFirst,
    onScan,
    onFinish,
    onWaiting,
  } = props;
  const counting = useIsCounting(cursor);
  return (
    <div className={classes.sticky}>
      <div className={classes.bar}>
        <Counted />
        <SyncBadge onOpen={onWaiting} />
      </div>
      <div className={classes.bar}>
        <label className={classes.find}>
          <IconSearch size={18} stroke={1.8} aria-hidden />
          <input
            ref={box}
            type="search"
            aria-label="Find an item"
            placeholder="Name, code or barcode"
            value={find}
            onChange={(event) => onFind(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !find.trim()) return;
              event.preventDefault();
              onFirst();
            }}
          />
        </label>
        {canScan() && (
          <button
            type="button"
            className={classes.scan}
            aria-label="Scan a barcode"
            onClick={onScan}
          >
            <IconBarcode size={22} stroke={1.7} aria-hidden />
          </button>
        )}
        {mayCount && !finished && (
          <Button
            className={classes.finish}
            variant={counting ? 'default' : 'filled'}
            leftSection={<IconListCheck size={18} aria-hidden />}
            disabled={closed}
            onClick={onFinish}
          >
            {again ? 'Finish again' : 'Finish'}
          </Button>
        )}
      </div>
    </div>
  );
});

function Counted() {
  const { counted, of } = useProgress();
  return (
    <div className={classes.counted}>
      <span>
        <b>{counted}</b> of {of} counted
      </span>
      <progress
        className={classes.meter}
        max={Math.max(of, 1)}
        value={counted}
        aria-label="Progress"
      />
    </div>
  );
}
