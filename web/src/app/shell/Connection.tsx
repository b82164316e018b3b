import { IconCloudOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useConnected } from '#/api/live';
import classes from './Connection.module.css';

/** Short interruptions, such as a restart of the server, are not shown. */
export const SHOW_AFTER_MS = 5_000;

/** Shows when live updates have stopped. */
export function Connection() {
  const connected = useConnected();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (connected) return setLate(false);
    const timer = setTimeout(() => setLate(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [connected]);
  return (
    <span role="status" className={classes.place}>
      {late && (
        <span
          className={classes.badge}
          title="Changes by others appear once the connection is back."
        >
          <IconCloudOff size={16} stroke={1.8} aria-hidden />
          <span className={classes.word}>Reconnecting…</span>
        </span>
      )}
    </span>
  );
}
