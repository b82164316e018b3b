// A reviewer's actions: type, confirm doubtful fields, save, take steps.
import { useMemo, useRef, useState } from 'react';
import { useSave } from '#/form/useSave';
import {
  readingChanged,
  type Step,
  type StepSaid,
  takeStep,
  updateReading,
  type ZReading,
} from '../api';
import { equations } from '../equations';
import { FIELDS, fieldOfSeen } from '../fields';
import { changedOf, faultOf, numberOf, paidOf, type Values, valuesOf } from '../form';

const OPEN = ['captured', 'needsReview', 'disputed'];

export const isOpen = (reading: ZReading) => OPEN.includes(reading.state);

/**
 * `proposeTill` maps a machine number to a till if the reading has none: it is sent like typed input, but does not
 * count as unsaved.
 */
export function useReview(reading: ZReading, proposeTill: (min: string) => string) {
  const was = useMemo(() => valuesOf(reading), [reading]);
  // A newer response becomes the base; typed values stay on top.
  const [typed, setTyped] = useState<Values>({});
  const values = useMemo((): Values => {
    const min = (typed.min ?? was.min ?? '').trim();
    return { ...was, terminalId: was.terminalId || proposeTill(min), ...typed };
  }, [was, proposeTill, typed]);
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const saving = useSave();
  const { problem, setProblem } = saving;
  const saved = useRef(false);

  const changed = useMemo(
    () => changedOf(values, was, reading.tenders),
    [values, was, reading.tenders],
  );
  const doubts = useMemo(() => {
    const found = new Map<string, string>();
    for (const [name, seen] of Object.entries(reading.read?.fields ?? {})) {
      const field = fieldOfSeen(name);
      if (field && seen.doubtful) found.set(field.name, seen.why ?? 'unproven');
    }
    return found;
  }, [reading.read]);
  const checks = useMemo(
    () =>
      equations(
        (field) => numberOf(values, field),
        paidOf(values),
        reading,
        reading.before ?? null,
      ),
    [values, reading],
  );
  const errors = useMemo(() => {
    const found = new Map<string, string>();
    for (const field of FIELDS) {
      const fault = faultOf(values, field);
      if (fault) found.set(field.name, fault);
    }
    for (const { field, message } of problem?.fields ?? []) found.set(field, message);
    return found;
  }, [values, problem]);

  const set = (name: string, value: string) => {
    setTyped((now) => ({ ...now, [name]: value }));
    setProblem(null);
  };
  const confirm = (name: string) => setConfirmed((now) => new Set(now).add(name));

  /** Sends a request; null when it was refused, and the screen says why. */
  const attempt = <T>(as: string, work: () => Promise<T>) =>
    saving.run(work, {
      as,
      refused: ({ code, extras }) => {
        // Typed values stay, and are sent again on top of the saved version.
        if (code === 'stale' && extras.current)
          readingChanged({ ...reading, ...(extras.current as Partial<ZReading>) });
      },
    });

  async function sent(): Promise<ZReading> {
    if (Object.keys(changed).length === 0) return reading;
    const now = await updateReading(reading.id, reading.revision, changed);
    setTyped({});
    return readingChanged(now);
  }

  const save = () => attempt('save', sent);
  const step = (name: Step, said?: StepSaid) =>
    attempt(name, async () => {
      const now = await sent();
      const after = await takeStep(now.id, name, now.revision, said);
      saved.current = true;
      return readingChanged(after);
    });

  return {
    values,
    set,
    doubts,
    confirmed,
    confirm,
    checks,
    errors,
    problem,
    setProblem,
    busy: saving.doing ?? '',
    dirty: Object.keys(changed).some((name) => name === 'tenders' || name in typed),
    open: isOpen(reading),
    saved,
    save,
    step,
  };
}

export type ReviewModel = ReturnType<typeof useReview>;
