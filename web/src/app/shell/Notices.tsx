import { CloseButton } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useMe } from '#/api/session';
import classes from './Notices.module.css';

const WORDS: Record<string, string> = {
  mailOutbox:
    'No mail server is set up. Letters such as reset links wait in the outbox folder on the server.',
};

const key = (notice: string) => `larder:seen:${notice}`;

function seen(notice: string): boolean {
  try {
    return sessionStorage.getItem(key(notice)) !== null;
  } catch {
    return false;
  }
}

/** What the server wants super admins to know. Put away, it stays away until the browser is closed. */
export function Notices() {
  const me = useMe();
  const [, setPut] = useState(0);
  const open = me.notices.filter((notice) => WORDS[notice] && !seen(notice));
  return (
    <div className={classes.notices}>
      {open.map((notice) => (
        <div key={notice} className={classes.notice} role="status">
          <IconMailOff size={16} stroke={1.8} aria-hidden />
          <span>{WORDS[notice]}</span>
          <CloseButton
            size="sm"
            iconSize={16}
            aria-label="Put this notice away"
            onClick={() => {
              try {
                sessionStorage.setItem(key(notice), '1');
              } catch {
                // It comes back with the next page, then.
              }
              setPut((put) => put + 1);
            }}
          />
        </div>
      ))}
    </div>
  );
}
