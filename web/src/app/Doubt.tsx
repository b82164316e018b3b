import { lazy, Suspense, useEffect, useState } from 'react';
import { watch } from '#/api/client';

const Reauthenticate = lazy(() => import('./Reauthenticate'));

interface Question {
  answer(proved: boolean): void;
}

/** Asks who is really here, once for however many requests want to know, and lets them go on. */
export function Doubt() {
  const [question, setQuestion] = useState<Question | null>(null);

  useEffect(() => {
    let asking: Promise<boolean> | null = null;
    watch({
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
    return () => watch({ reauthenticate: () => Promise.resolve(false) });
  }, []);

  return question && <Suspense>{<Reauthenticate onAnswer={question.answer} />}</Suspense>;
}
