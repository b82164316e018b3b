import { IconCloudOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useConnected } from '#/api/live';
import classes from './Connection.module.css';

/** A tunnel or a restart is nothing to tell anybody about. */
export const PATIENCE = 5_000;

/** Says quietly that changes of others do not arrive at the moment. */
export function Connection() {
  const connected = useConnected();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (connected) return setLate(false);
    const timer = setTimeout(() => setLate(true), PATIENCE);
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
