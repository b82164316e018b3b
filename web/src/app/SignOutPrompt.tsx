import { lazy, Suspense, useEffect, useState } from 'react';
import { setSignOutQuestion } from './signOutFlow';

const SignOutDialog = lazy(() => import('./SignOutDialog'));

/** On sign-out, asks what to do with unsent counts. */
export function SignOutPrompt() {
  const [answer, setAnswer] = useState<{ go(leave: boolean): void } | null>(null);

  useEffect(() => {
    setSignOutQuestion(
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
    return () => setSignOutQuestion(null);
  }, []);

  return answer && <Suspense>{<SignOutDialog onAnswer={answer.go} />}</Suspense>;
}
