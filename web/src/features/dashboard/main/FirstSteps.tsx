import { Button } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useMe } from '#/api/session';
import { Example } from './Example';
import classes from './FirstSteps.module.css';
import { guide, isLater, noteLater, noteSeen, readSeen, useFirstSteps } from './firstSteps';

/** The first steps of a new group, in any order, until they are done. */
export function FirstSteps() {
  const { uid } = useMe().user;
  const { data } = useFirstSteps();
  const [later, setLater] = useState(() => isLater(uid));
  const steps = data ? guide(data, readSeen(uid)) : null;
  const shown = steps !== null && !later;

  useEffect(() => {
    if (shown) noteSeen(uid, 'shown');
  }, [shown, uid]);

  const loaded = data?.example === 'loaded' && (
    <section className={classes.guide} aria-labelledby="example">
      <div className={classes.head}>
        <h2 id="example">This is an example group</h2>
        <span>Try what you like; nothing of it is real.</span>
        <Example state="loaded" />
      </div>
    </section>
  );
  if (!shown) return loaded;
  const left = steps.filter(({ done }) => !done).length;
  return (
    <>
      {loaded}
      <section className={classes.guide} aria-labelledby="first-steps">
        <div className={classes.head}>
          <h2 id="first-steps">First steps</h2>
          <span>
            {steps.length - left} of {steps.length} done, in any order
          </span>
          {data?.example === 'offered' && <Example state="offered" />}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              noteLater(uid);
              setLater(true);
            }}
          >
            Later
          </Button>
        </div>
        <ol>
          {steps.map(({ key, done, label, href }) => (
            <li key={key}>
              {done ? (
                <IconCircleCheckFilled
                  size={18}
                  className={classes.done}
                  role="img"
                  aria-label="Done"
                />
              ) : (
                <IconCircle
                  size={18}
                  stroke={1.6}
                  className={classes.open}
                  role="img"
                  aria-label="To do"
                />
              )}
              {done ? (
                <span>{label}</span>
              ) : (
                <Link
                  to={href}
                  // Without recipes, the report has POS items only.
                  state={key === 'report' ? { orPosItems: true } : undefined}
                  onClick={key === 'report' ? () => noteSeen(uid, 'reported') : undefined}
                >
                  {label}
                </Link>
              )}
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}
