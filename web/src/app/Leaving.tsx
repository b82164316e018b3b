import { lazy, Suspense, useEffect, useState } from 'react';
import { askBy } from './goOut';

const LeavingDialog = lazy(() => import('./LeavingDialog'));

/** Asks, when somebody signs out while counts wait, what becomes of them. */
export function Leaving() {
  const [answer, setAnswer] = useState<{ go(leave: boolean): void } | null>(null);

  useEffect(() => {
    askBy(
      () =>
        new Promise<boolean>((done) => {
          setAnswer({
            go: (leave) => {
              setAnswer(null);
              done(leave);
            },
          });
        }),
    );
    return () => askBy(null);
  }, []);

  return answer && <Suspense>{<LeavingDialog onAnswer={answer.go} />}</Suspense>;
}
