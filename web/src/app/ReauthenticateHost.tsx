import { lazy, Suspense, useEffect, useState } from 'react';
import { setHandlers } from '#/api/client';

const Reauthenticate = lazy(() => import('./Reauthenticate'));

interface Question {
  answer(proved: boolean): void;
}

/** Shows the re-authentication dialog when requests need it: one dialog for all that wait. */
export function ReauthenticateHost() {
  const [question, setQuestion] = useState<Question | null>(null);

  useEffect(() => {
    let asking: Promise<boolean> | null = null;
    setHandlers({
      reauthenticate() {
        asking ??= new Promise<boolean>((done) => {
          setQuestion({ answer: done });
        }).finally(() => {
          asking = null;
          setQuestion(null);
        });
        return asking;
      },
    });
    return () => setHandlers({ reauthenticate: () => Promise.resolve(false) });
  }, []);

  return question && <Suspense>{<Reauthenticate onAnswer={question.answer} />}</Suspense>;
}
