import { useState } from 'react';
import { type FieldError, Problem } from '#/api/problem';

/** Sends how a file is read; what the server refuses of it is said field by field. */
export function useMapping(wordsOf: (field: FieldError) => string = ({ message }) => message) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string[]>([]);

  async function send(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setRefused([]);
    try {
      await work();
    } catch (error) {
      const { fields, message } = Problem.of(error);
      setRefused(fields.length > 0 ? fields.map(wordsOf) : [message]);
    } finally {
      setBusy(false);
    }
  }

  return { busy, refused, send };
}
