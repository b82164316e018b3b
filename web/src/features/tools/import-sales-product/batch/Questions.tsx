import { money, plural, pluralQty } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { answered, isChosen, openAsks } from '../mapping';
import type { Layout, Mapping } from '../types';
import classes from './Questions.module.css';

interface Props {
  layout: Layout;
  mapping: Mapping;
  onChange(mapping: Mapping): void;
}

/** The file's open questions: each with the file's totals for every answer. */
export function Questions({ layout, mapping, onChange }: Props) {
  const asks = layout.asks ?? [];
  if (asks.length === 0) return null;
  const all = layout.rows !== undefined && layout.rows !== null;
  return (
    <Panel title={asks.length === 1 ? 'One question first' : `${asks.length} questions first`}>
      <div className={classes.asks}>
        {asks.map((ask) => (
          <fieldset
            key={ask.id}
            className={classes.ask}
            data-open={openAsks(layout, mapping).includes(ask) || undefined}
          >
            <legend>{ask.question}</legend>
            <div className={classes.answers}>
              {ask.answers.map((answer) => {
                const chosen = isChosen(mapping, ask, answer);
                return (
                  <button
                    key={answer.label}
                    type="button"
                    className={classes.answer}
                    aria-pressed={chosen}
                    onClick={() => onChange(answered(mapping, ask, answer))}
                  >
                    <strong>{answer.label}</strong>
                    <span className="num">{plural(answer.lines, 'line')}</span>
                    <span className="num">{pluralQty(answer.qty, 'piece')}</span>
                    <span className="num">{money(answer.net)} net</span>
                  </button>
                );
              })}
            </div>
          </fieldset>
        ))}
      </div>
      {!all && <p className={classes.note}>Figures of the first rows: the file is long.</p>}
    </Panel>
  );
}
