import { queries } from '#/api/queries';
import { useSave } from '#/form/useSave';
import { qty } from '#/ui/format';
import { countApi, KEY } from './api';
import classes from './Conflict.module.css';
import { timeOf } from './clock';
import type { CountRow } from './rows';

/** Shows the values that several devices counted, and lets the user choose one. */
export function Conflict({ row }: { row: CountRow }) {
  const { doing, problem, run } = useSave();
  const { others, revision } = row;

  const choose = async (op: string) => {
    if (revision === null) return;
    await run(() => countApi.choose(op, revision), {
      as: op,
      onSettled: () => queries.invalidateQueries({ queryKey: [...KEY, 'entries'] }),
    });
  };

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
            aria-disabled={doing !== null}
            onClick={() => void choose(other.op)}
          >
            {doing === other.op ? 'Choosing…' : `Take ${qty(other.qty)}`}
          </button>
        ))}
      </div>
      {problem && (
        <p role="alert" className={classes.error}>
          {problem.message}
        </p>
      )}
    </div>
  );
}
