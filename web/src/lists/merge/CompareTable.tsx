import { useId } from 'react';
import { words } from '#/history/words';
import type { NameOf } from '../define';
import type { Compared } from './choices';
import classes from './MergeDialog.module.css';

interface Props<T> {
  records: readonly T[];
  compared: readonly Compared[];
  stays: number;
  choice: Readonly<Record<string, number>>;
  label(record: T): string;
  nameOf: NameOf;
  onStay(index: number): void;
  onPick(field: string, index: number): void;
}

/** The records side by side, with what differs. */
export function CompareTable<T extends { id: string }>(props: Props<T>) {
  const { records, compared, stays, choice, label, nameOf, onStay, onPick } = props;
  const group = useId();
  return (
    <section className={classes.scroll} tabIndex={0} aria-label="The records side by side">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Stays</th>
            {records.map((record, i) => (
              <th key={record.id} scope="col" data-stays={i === stays || undefined}>
                <label className={classes.choice}>
                  <input
                    type="radio"
                    name={group}
                    checked={i === stays}
                    onChange={() => onStay(i)}
                  />
                  <span>{label(record)}</span>
                </label>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {compared.map(({ field, values }) => (
            <tr key={field.name}>
              <th scope="row">{field.label}</th>
              {values.map((value, i) => (
                <td
                  key={records[i]?.id}
                  data-stays={i === stays || undefined}
                  data-kept={choice[field.name] === i || undefined}
                >
                  <label className={classes.choice}>
                    <input
                      type="radio"
                      name={`${group} ${field.name}`}
                      checked={choice[field.name] === i}
                      onChange={() => onPick(field.name, i)}
                    />
                    <span>{words(value, field.name, nameOf, field)}</span>
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
