import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { recordPath } from '#/records';
import { plural } from '#/ui/format';
import classes from './Home.module.css';
import { type Asked, answer, unsold, useAsked } from './openingDays';

/** The most stores asked about at once; the next follow as these are answered. */
const SHOWN = 4;

/** Stores that sold nothing on some weekdays: closed then, or not? For users who may set opening days. */
export function OpeningDays() {
  const may = useCan('stores/storeList', 'edit');
  const { data = [] } = useAsked(may);
  if (!may || data.length === 0) return null;
  const more = data.length - SHOWN;
  return (
    <section className={classes.asked} aria-labelledby="opening-days">
      <h2 id="opening-days">Opening days</h2>
      <ul>
        {data.slice(0, SHOWN).map((asked) => (
          <Question key={asked.storeId} asked={asked} />
        ))}
      </ul>
      {more > 0 && <p>{plural(more, 'more store')} after these.</p>}
    </section>
  );
}

function Question({ asked }: { asked: Asked }) {
  const name = useNameOf('stores').get(asked.storeId)?.name ?? 'A store';
  const saving = useSave({ shows: 'toast' });
  const days = unsold(asked);
  const path = recordPath('location', asked.storeId);
  const say = (weekdays: number[], said: string) =>
    void saving.run(() => answer(asked, weekdays), { said });
  return (
    <li>
      <span>
        {path ? <Link to={path}>{name}</Link> : name} sold nothing on {days} for eight weeks.
      </span>
      <Button
        size="compact-sm"
        variant="default"
        loading={saving.busy}
        aria-label={`${name} is closed on ${days}`}
        onClick={() => say(asked.proposed, `${name} is closed on ${days} from today`)}
      >
        Closed on {days}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        disabled={saving.busy}
        aria-label={`${name} is open on ${days}`}
        onClick={() => say(asked.weekdays, `${name} stays open on ${days}`)}
      >
        Open on {days}
      </Button>
    </li>
  );
}
