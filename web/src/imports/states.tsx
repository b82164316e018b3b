import { StatusPill, type Tone } from '#/ui/StatusPill';

/** The label and look of each import state. */
export type States<S extends string> = Record<S, { label: string; tone: Tone }>;

/** A state as a pill. */
export function StatePill<S extends string>({ states, state }: { states: States<S>; state: S }) {
  const { label, tone } = states[state];
  return <StatusPill tone={tone}>{label}</StatusPill>;
}
