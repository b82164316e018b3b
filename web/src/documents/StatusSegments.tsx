import { count } from '#/ui/format';
import classes from './DocumentList.module.css';
import type { StateLabels } from './types';

interface Props {
  states: Readonly<Record<string, StateLabels>>;
  counts: Readonly<Record<string, number>> | undefined;
  /** One or several, comma-separated; empty for all. */
  value: string;
  onChange(status: string): void;
}

/** Those of some comma-separated statuses that exist. */
export const knownOf = (statuses: string, states: Props['states']) =>
  statuses
    .split(',')
    .filter((name) => name in states)
    .join(',');

/** How many documents have each status; a click filters. Empty statuses are left out. */
export function StatusSegments({ states, counts, value, onChange }: Props) {
  const chosen = value.split(',');
  const all = Object.values(counts ?? {}).reduce((sum, n) => sum + n, 0);
  const shown = Object.entries(states).filter(
    ([name]) => (counts?.[name] ?? 0) > 0 || chosen.includes(name),
  );
  const segments = [['', { label: 'All' }, all] as const].concat(
    shown.map(([name, words]) => [name, words, counts?.[name] ?? 0] as never),
  );
  return (
    <fieldset className={classes.segments} aria-label="Status">
      {segments.map(([name, words, number]) => (
        <button
          key={name}
          type="button"
          aria-pressed={chosen.includes(name)}
          className={classes.segment}
          onClick={() => onChange(name)}
        >
          {words.label} <span className="num">{counts ? count(number) : ''}</span>
        </button>
      ))}
    </fieldset>
  );
}
