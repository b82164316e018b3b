import { useMemo } from 'react';
import { useNamesOf } from '#/api/names';
import type { Change } from './api';
import { BeforeAfter, ChangeList, ChangeRow } from './ChangeList';
import classes from './Changes.module.css';
import {
  fieldLabel,
  type Label,
  lineChanges,
  lineText,
  type NameOf,
  referencedKinds,
  valueText,
} from './labels';

const NONE: readonly Label[] = [];

interface Props {
  changes: readonly Change[];
  action?: string;
  labels?: readonly Label[];
  /** The kind of the record, if there are no labels. */
  kind?: string;
}

/** The changes of a record, field by field: before → after, with names instead of ids. */
export function Changes({ changes, action, labels = NONE, kind }: Props) {
  const kinds = useMemo(() => referencedKinds(changes, labels, kind), [changes, labels, kind]);
  const nameOf = useNamesOf(kinds);
  return (
    <ChangeList>
      {changes.map((change) => {
        const label = labels.find(({ name }) => name === change.field);
        return (
          <ChangeRow key={change.field} label={label?.label ?? fieldLabel(change.field)}>
            <ChangedValue
              change={change}
              action={action}
              label={label}
              kind={kind}
              nameOf={nameOf}
            />
          </ChangeRow>
        );
      })}
    </ChangeList>
  );
}

interface ChangedValueProps {
  change: Change;
  action?: string;
  label?: Label;
  kind?: string;
  nameOf: NameOf;
}

function ChangedValue({ change, action, label, kind, nameOf }: ChangedValueProps) {
  const { field, before, after } = change;
  if (Array.isArray(before) || Array.isArray(after)) {
    const { removed, added } = lineChanges(before, after);
    if (removed.length === 0 && added.length === 0)
      return <span>The order of the lines changed</span>;
    return (
      <ul className={classes.lines}>
        {removed.map((item) => (
          <li key={`-${JSON.stringify(item)}`}>
            <span aria-hidden>−</span>
            <span className="sr-only">Removed:</span> {lineText(item, nameOf)}
          </li>
        ))}
        {added.map((item) => (
          <li key={`+${JSON.stringify(item)}`} data-added>
            <span aria-hidden>+</span>
            <span className="sr-only">Added:</span> {lineText(item, nameOf)}
          </li>
        ))}
      </ul>
    );
  }
  const text = (value: unknown) => valueText(value, field, nameOf, label, kind);
  return <BeforeAfter action={action} before={text(before)} after={text(after)} />;
}
