import { Button } from '@mantine/core';
import { useState } from 'react';
import { moment, plural } from '#/ui/format';
import type { Entry } from './api';
import { Changes } from './Changes';
import classes from './History.module.css';
import { type Label, shownChanges } from './labels';

const DONE: Readonly<Record<string, string>> = {
  created: 'created it',
  updated: 'changed it',
  deleted: 'deleted it',
};

/** More than these are folded: a new store has forty fields. */
const SHOWN = 6;

interface Props {
  entry: Entry;
  labels: readonly Label[];
  latest: boolean;
  /** Restores the record as it was after this entry. */
  onBack?(): void;
}

export function EntryLine({ entry, labels, latest, onBack }: Props) {
  const changes = shownChanges(entry);
  const [open, setOpen] = useState(false);
  const folded = !open && changes.length > SHOWN + 1;
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <p className={classes.who}>
          <strong>{entry.by.name || entry.by.email || 'The server'}</strong>{' '}
          {DONE[entry.action] ?? entry.action}
          {latest && <span className={classes.now}>Now</span>}
        </p>
        <time className={`${classes.when} num`} dateTime={entry.at}>
          {moment(entry.at)}
        </time>
      </div>
      {changes.length > 0 && (
        <Changes
          changes={folded ? changes.slice(0, SHOWN) : changes}
          action={entry.action}
          labels={labels}
        />
      )}
      {(folded || onBack) && (
        <div className={classes.actions}>
          {folded && (
            <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
              {plural(changes.length - SHOWN, 'more field')}
            </Button>
          )}
          {onBack && (
            <Button size="compact-xs" variant="default" onClick={onBack}>
              Restore this version
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
