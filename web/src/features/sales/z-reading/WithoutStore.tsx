import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import { plural } from '#/ui/format';
import { useWithoutStore } from './api';
import classes from './ZReading.module.css';

/** Pictures that are no readings yet, since no machine number told their store. */
export function WithoutStore() {
  const waiting = useWithoutStore(useCan('tools/zReadingOcr', 'create'));
  if (waiting === 0) return null;
  return (
    <p className={`${classes.withoutStore} no-print`} role="status">
      {plural(waiting, 'picture waits for its store', 'pictures wait for their store')}.{' '}
      <Link to={to('toolsZReadingOcr')} className={classes.link}>
        Choose it
      </Link>
    </p>
  );
}
