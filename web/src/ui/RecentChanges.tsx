import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconHistory } from '@tabler/icons-react';
import { useLocation } from 'react-router';
import { moment } from './format';
import classes from './RecentChanges.module.css';
import { type RecentChange, undoChange, useRecentChanges } from './recentChanges';

/** Undoes the last change made on this page, and offers the session's others. */
export function RecentChanges() {
  const changes = useRecentChanges();
  const { pathname } = useLocation();
  if (changes.length === 0) return null;
  const last = changes.findLast(({ path }) => isSamePlace(path, pathname));

  function undo(change: RecentChange): void {
    undoChange(change);
    // The button disappears; keep the focus on the page.
    document.getElementById('content')?.focus({ preventScroll: true });
  }

  return (
    <div className={`${classes.changes} no-print`}>
      {last && (
        <Button
          size="compact-sm"
          variant="subtle"
          className={classes.undo}
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          title={wordsOf(last)}
          onClick={() => undo(last)}
        >
          Undo
        </Button>
      )}
      <Menu position="bottom-start" width={300} withinPortal={false}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            className={classes.more}
            size={26}
            aria-label="Recent changes"
            title="Recent changes"
          >
            {last ? <IconChevronDown size={16} /> : <IconHistory size={18} stroke={1.6} />}
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {changes.toReversed().map((change) => (
            <Menu.Item
              key={change.id}
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              rightSection={<span className={classes.time}>{timeOf(change)}</span>}
              onClick={() => undo(change)}
            >
              {wordsOf(change)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** The time of day: the session rarely outlives the day. */
const timeOf = ({ at }: RecentChange) => moment(new Date(at).toISOString()).split(', ').at(-1);

/** Whether one address equals the other or is below it, as a record is below its list. */
const isSamePlace = (a: string, b: string) =>
  a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

const wordsOf = ({ message, name }: RecentChange) => `Undo: ${message}${name ? ` (${name})` : ''}`;
