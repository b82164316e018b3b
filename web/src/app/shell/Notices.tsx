import { CloseButton } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import { ME, type Me, useMe } from '#/api/session';
import { usePhone } from '#/ui/usePhone';
import classes from './Notices.module.css';

const WORDS: Record<string, string> = {
  mailOutbox:
    'No mail server is set up. Emails such as reset links wait in the outbox folder on the server.',
};

/** The short text for phones. */
const SHORT: Record<string, string> = { mailOutbox: 'No mail server is set up' };

/** The server's notices for super admins. A dismissed notice is never shown again to that user. */
export function Notices() {
  const me = useMe();
  const phone = usePhone();
  const open = me.notices.filter((notice) => WORDS[notice] && !me.putAway?.includes(notice));
  return (
    <div className={classes.notices}>
      {open.map((notice) => (
        <div key={notice} className={classes.notice} role="status">
          <IconMailOff size={16} stroke={1.8} aria-hidden />
          <span title={phone ? WORDS[notice] : undefined}>
            {phone ? SHORT[notice] : WORDS[notice]}
          </span>
          <CloseButton
            size="sm"
            iconSize={16}
            aria-label="Put this notice away"
            onClick={() => {
              queries.setQueryData<Me | null>(
                ME,
                (now) => now && { ...now, putAway: [...(now.putAway ?? []), notice] },
              );
              // If this fails, the notice is back at the next start.
              void request('PUT', '/api/me/notices/{notice}', { path: { notice } }).catch(() => {});
            }}
          />
        </div>
      ))}
    </div>
  );
}
