import { FieldInput } from './FieldInput';
import classes from './Fields.module.css';
import type { Field } from './types';
import type { RecordForm } from './useRecordForm';

export interface Group {
  title: string | null;
  fields: Field[];
}

/** Groups fields: each `section` starts a group. */
export function grouped(fields: readonly Field[]): Group[] {
  const groups: Group[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (!last || (field.section && field.section !== last.title)) {
      groups.push({ title: field.section ?? null, fields: [field] });
    } else {
      last.fields.push(field);
    }
  }
  return groups;
}

interface Props {
  fields: readonly Field[];
  form: RecordForm['form'];
  readOnly?: boolean;
  autoFocus?: boolean;
}

/** Two columns on a desk, one on a phone. */
export function Fields({ fields, form, readOnly, autoFocus }: Props) {
  return (
    <div className={classes.fields}>
      {fields.map((field, i) => (
        <div
          key={field.name}
          className={classes.field}
          data-wide={field.wide || field.kind === 'long' || field.kind === 'table' || undefined}
        >
          <FieldInput
            field={field}
            form={form}
            readOnly={readOnly}
            autoFocus={autoFocus && i === 0}
          />
        </div>
      ))}
    </div>
  );
}
