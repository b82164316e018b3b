import { IconCheck } from '@tabler/icons-react';
import type { Batch } from '../types';
import classes from './Steps.module.css';

const NAMES = ['File', 'Columns', 'Check', 'Post'] as const;

function at(batch: Batch, mapping: boolean): number {
  if (mapping) return 1;
  switch (batch.state) {
    case 'uploaded':
      return 1;
    case 'validating':
    case 'validated':
      return 2;
    case 'posting':
      return 3;
    case 'failed':
      return batch.summary ? 2 : 1;
    default:
      return 4;
  }
}

export function Steps({ batch, mapping }: { batch: Batch; mapping: boolean }) {
  const now = at(batch, mapping);
  return (
    <ol className={classes.steps} aria-label="Steps of the import">
      {NAMES.map((name, i) => (
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
