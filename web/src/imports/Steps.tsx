import { IconCheck } from '@tabler/icons-react';
import classes from './Steps.module.css';

interface Props {
  names: readonly string[];
  /** The current step; beyond the last one everything is done. */
  now: number;
}

/** The steps of an import. */
export function Steps({ names, now }: Props) {
  return (
    <ol className={classes.steps} aria-label="Steps of the import">
      {names.map((name, i) => (
        <li
          key={name}
          data-done={i < now || undefined}
          data-now={i === now || undefined}
          aria-current={i === now ? 'step' : undefined}
        >
          <span className={classes.dot}>
            {i < now ? <IconCheck size={13} stroke={3} aria-hidden /> : i + 1}
          </span>
          {name}
          {i < now && <span className="sr-only">, done</span>}
        </li>
      ))}
    </ol>
  );
}
