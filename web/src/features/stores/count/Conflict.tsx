import { useState } from 'react';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { qty } from '#/ui/format';
import { countApi, KEY } from './api';
import classes from './Conflict.module.css';
import { timeOf } from './clock';
import type { CountRow } from './rows';

/** Shows the values that several devices counted, and lets the user choose one. */
export function Conflict({ row }: { row: CountRow }) {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState('');
  const { others, revision } = row;

  async function choose(op: string): Promise<void> {
    if (busy || revision === null) return;
    setBusy(op);
    setError('');
    try {
      await countApi.choose(op, revision);
    } catch (problem) {
      setError(Problem.of(problem).message);
    }
    await queries.invalidateQueries({ queryKey: [...KEY, 'entries'] });
    setBusy(null);
  }

  const devices = others.length + 1;
  const counter = row.by || 'you';
  return (
    <div className={classes.conflict}>
      <p className={classes.text}>
        {devices} devices counted this item: {qty(row.qty)} ({counter}, {timeOf(row.at)})
        {others.map((other) => (
          <span key={other.op}>
            , {qty(other.qty)} ({other.by || 'Someone'}, {timeOf(other.at)})
          </span>
        ))}
      </p>
      <div className={classes.choices}>
        <span className={classes.stands}>{qty(row.qty)} stands</span>
        {others.map((other) => (
          <button
            key={other.op}
            type="button"
            className={classes.choice}
            aria-disabled={busy !== null}
            onClick={() => void choose(other.op)}
          >
            {busy === other.op ? 'Choosing…' : `Take ${qty(other.qty)}`}
          </button>
        ))}
      </div>
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
