import { useMemo } from 'react';
import { useNamesOf } from '#/api/names';
import type { Change } from './api';
import classes from './Changes.module.css';
import { fieldWords, kindsIn, type Label, line, lineChanges, type NameOf, words } from './words';

const NONE: readonly Label[] = [];

interface Props {
  changes: readonly Change[];
  action?: string;
  labels?: readonly Label[];
  /** The kind of the record, where its labels are not at hand. */
  kind?: string;
}

/** What was changed, field by field: before → after, with names instead of ids. */
export function Changes({ changes, action, labels = NONE, kind }: Props) {
  const kinds = useMemo(() => kindsIn(changes, labels, kind), [changes, labels, kind]);
  const nameOf = useNamesOf(kinds);
  return (
    <dl className={classes.changes}>
      {changes.map((change) => {
        const label = labels.find(({ name }) => name === change.field);
        return (
          <div key={change.field} className={classes.change}>
            <dt>{label?.label ?? fieldWords(change.field)}</dt>
            <dd>
              <Became change={change} action={action} label={label} kind={kind} nameOf={nameOf} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface BecameProps {
  change: Change;
  action?: string;
  label?: Label;
  kind?: string;
  nameOf: NameOf;
}

function Became({ change, action, label, kind, nameOf }: BecameProps) {
  const { field, before, after } = change;
  if (Array.isArray(before) || Array.isArray(after)) {
    const { gone, come } = lineChanges(before, after);
    if (gone.length === 0 && come.length === 0) return <span>The order of the lines changed</span>;
    return (
      <ul className={classes.lines}>
        {gone.map((item) => (
          <li key={`-${JSON.stringify(item)}`}>
            <span aria-hidden>−</span>
            <span className="sr-only">Removed:</span> {line(item, nameOf)}
          </li>
        ))}
        {come.map((item) => (
          <li key={`+${JSON.stringify(item)}`} data-added>
            <span aria-hidden>+</span>
            <span className="sr-only">Added:</span> {line(item, nameOf)}
          </li>
        ))}
      </ul>
    );
  }
  const say = (value: unknown) => words(value, field, nameOf, label, kind);
  if (action === 'created') return <ins>{say(after)}</ins>;
  if (action === 'deleted') return <del>{say(before)}</del>;
  return (
    <>
      <del>{say(before)}</del>
      <span className={classes.arrow} aria-hidden>
        →
      </span>
      <span className="sr-only">became</span>
      <ins>{say(after)}</ins>
    </>
  );
}
