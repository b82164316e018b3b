import { IconHistory } from '@tabler/icons-react';
import { Link } from 'react-router';
import { moment } from '#/ui/format';
import type { SinceLast } from './api';
import classes from './Home.module.css';

/** What changed since the user's last visit, as a short list of links. */
export function Since({ since }: { since: SinceLast }) {
  return (
    <section className={classes.since} aria-labelledby="since">
      <h2 id="since">
        <IconHistory size={16} stroke={1.8} aria-hidden />
        Since you were last here
        <span className={classes.sinceAt}>{moment(since.at)}</span>
      </h2>
      {since.items.length === 0 ? (
        <p>Nothing changed.</p>
      ) : (
        <ul>
          {since.items.map((item) => (
            <li key={item.text}>
              <Link to={item.href} className={classes.chip} data-tone={item.tone}>
                {item.text}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
