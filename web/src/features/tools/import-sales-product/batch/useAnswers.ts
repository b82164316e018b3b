import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSave } from '#/form/useSave';
import { salesApi } from '../api';
import { reviewAsks } from '../questions';
import type { Answers, Ask, Batch } from '../types';

const NONE: Answers = {};

/**
 * The questions of a checked file. Each answer is sent with the mapping, and the file is checked again; answers given
 * meanwhile are sent together afterwards.
 */
export function useAnswers(batch: Batch, checking: boolean, onSent: (batch: Batch) => void) {
  const { busy, problem, run } = useSave();
  const [visit, setVisit] = useState<Answers>(NONE);
  const [refused, setRefused] = useState<readonly Ask[]>([]);
  const seen = useRef<readonly Ask[]>([]);
  const sent = useRef('');
  const saved = batch.mapping?.answers ?? NONE;
  const answers: Answers = { ...saved, ...visit };
  const waiting = Object.entries(visit).some(([id, choice]) => saved[id] !== choice);
  const asks = reviewAsks(batch.summary?.asks ?? [], refused, seen.current, visit);
  const wanted = JSON.stringify(visit);

  useEffect(() => {
    seen.current = asks;
  });

  const send = useEffectEvent(async () => {
    const { mapping } = batch;
    // The server may store other answers than it was sent: it is asked once.
    if (!mapping || sent.current === wanted) return;
    sent.current = wanted;
    await run(() => salesApi.map(batch.id, { ...mapping, answers }), {
      onSaved: (next) => {
        setRefused([]);
        onSent(next);
      },
      refused: () => {
        sent.current = '';
        setVisit(NONE);
      },
    });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: «wanted» changes with each answer
  useEffect(() => {
    if (waiting && !checking && !busy) void send();
  }, [waiting, checking, busy, wanted]);

  return {
    asks,
    answers,
    /** An answer is not in the sums yet. */
    pending: checking || busy || (waiting && sent.current !== wanted),
    problem,
    answer: (id: string, choice: string) => setVisit((before) => ({ ...before, [id]: choice })),
    /** Shows questions that a refused posting named. */
    ask: setRefused,
  };
}
