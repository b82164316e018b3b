import { useId } from 'react';
import { ChoiceTable, RadioChoice } from '#/form/ChoiceTable';
import { valueText } from '#/history/labels';
import type { NameOf } from '../define';
import type { ComparedField } from './choices';
import classes from './MergeDialog.module.css';

interface Props<T> {
  records: readonly T[];
  compared: readonly ComparedField[];
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
    <ChoiceTable className={classes.records} label="The records side by side">
      <thead>
        <tr>
          <th scope="col">Stays</th>
          {records.map((record, i) => (
            <th key={record.id} scope="col" data-stays={i === stays || undefined}>
              <RadioChoice name={group} checked={i === stays} onChoose={() => onStay(i)}>
                <span className={classes.value}>{label(record)}</span>
              </RadioChoice>
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
                <RadioChoice
                  name={`${group} ${field.name}`}
                  checked={choice[field.name] === i}
                  onChoose={() => onPick(field.name, i)}
                >
                  <span className={classes.value}>
                    {valueText(value, field.name, nameOf, field)}
                  </span>
                </RadioChoice>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ChoiceTable>
  );
}
