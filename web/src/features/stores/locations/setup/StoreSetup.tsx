import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from 'react-router';
import { to } from '#/paths';
import { useStoreSetup } from './api';
import classes from './StoreSetup.module.css';
import { DONE, type Goal, lines } from './texts';

/** What a store still needs before it can order, count and sell; nothing once it can. */
export function StoreSetup({ storeId }: { storeId: string }) {
  const { data } = useStoreSetup(storeId);
  const shown = data && lines(data);
  if (!shown) return null;
  return (
    <section className={classes.setup} aria-labelledby="store-setup">
      <h2 id="store-setup">Before this store can work</h2>
      <ul>
        {shown.map(({ key, done, label, note, goal }) => (
          <li key={key}>
            {done ? (
              <IconCircleCheckFilled
                size={18}
                className={classes.done}
                role="img"
                aria-label={DONE}
              />
            ) : (
              <IconCircle
                size={18}
                stroke={1.6}
                className={classes.open}
                role="img"
                aria-label="Missing"
              />
            )}
            {done ? <span>{label}</span> : <Lead label={label} goal={goal} storeId={storeId} />}
            {!done && <span className={classes.note}>{note}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Leads to where it is set: another page, a field of this one, or a section of it. */
function Lead({ label, goal, storeId }: { label: string; goal: Goal; storeId: string }) {
  if ('page' in goal) {
    return <Link to={to(goal.page, null, goal.ofStore ? { store: storeId } : {})}>{label}</Link>;
  }
  const selector = 'field' in goal ? `[data-path="${goal.field}"]` : `#${goal.section}`;
  return (
    <button
      type="button"
      onClick={() => {
        const place = document.querySelector<HTMLElement>(selector);
        place?.scrollIntoView({ block: 'center' });
        place?.focus({ preventScroll: true });
      }}
    >
      {label}
    </button>
  );
}
