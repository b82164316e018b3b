import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { Changes } from '#/history/Changes';
import { shownChanges } from '#/history/labels';
import { recordPath, recordWord } from '#/records';
import { moment, plural } from '#/ui/format';
import { clockOf } from '../labels';
import { Avatar } from '../parts/Avatar';
import { Changes as PeopleChanges } from '../parts/Changes';
import feed from '../parts/Feed.module.css';
import { tabPath } from '../UsersFrame';
import { BringBack } from './BringBack';
import classes from './RecordLine.module.css';
import { ACTION_VERBS, type RecordChange } from './records';

const PEOPLE = { user: 'users', role: 'roles', application: 'applications' } as const;

/** Where a record is opened, people included. */
function pathOf({ kind, recordId, action }: RecordChange): string | null {
  if (action === 'deleted') return null;
  const tab = PEOPLE[kind as keyof typeof PEOPLE];
  return tab ? tabPath(tab, { open: recordId }) : recordPath(kind, recordId);
}

/** One change of one record; expands to show the changed fields. */
export function RecordLine({ item }: { item: RecordChange }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { by, kind, kindLabel, recordId, recordName, action } = item;
  const changes = shownChanges(item);
  const path = pathOf(item);
  const one = recordWord(kind) ?? kindLabel.toLowerCase();
  const name = recordName || recordId;
  return (
    <li className={feed.item}>
      <Avatar name={by.name ?? ''} email={by.email ?? ''} />
      <div className={feed.body}>
        <p className={feed.what}>
          <strong>{by.name || by.email || 'The server'}</strong> {ACTION_VERBS[action] ?? action}{' '}
          the {one}{' '}
          {path ? (
            <Link to={path} className={feed.link}>
              {name}
            </Link>
          ) : (
            <strong>{name}</strong>
          )}
        </p>
        {changes.length > 0 && (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            <IconChevronRight size={14} stroke={2} aria-hidden />
            {plural(changes.length, 'field')}
            <span className="sr-only"> of {name}</span>
          </button>
        )}
        {action === 'deleted' && <BringBack item={item} />}
        {open && (
          <div id={id}>
            {kind in PEOPLE ? (
              <PeopleChanges changes={item.changes} action={action} />
            ) : (
              <Changes changes={changes} action={action} kind={kind} />
            )}
          </div>
        )}
      </div>
      <time className={`${feed.time} num`} dateTime={item.at} title={moment(item.at)}>
        {clockOf(item.at)}
      </time>
    </li>
  );
}
