import { StatusPill, type Tone } from '#/ui/StatusPill';

/** What each state of an import is called, and how it looks. */
export type States<S extends string> = Record<S, { label: string; tone: Tone }>;

/** A state as a pill. */
export function StatePill<S extends string>({ states, state }: { states: States<S>; state: S }) {
  const { label, tone } = states[state];
  return <StatusPill tone={tone}>{label}</StatusPill>;
}
