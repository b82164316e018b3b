import { type ReactNode, useEffect, useRef } from 'react';
import { DrawerNote, DrawerSection } from './DrawerForm';
import { Fields, grouped } from './Fields';
import { FormProblem } from './FormProblem';
import { RecordFormFrame } from './RecordFormFrame';
import type { Field, FormValues, Wire } from './types';
import { type RecordForm, type Saved, useRecordForm } from './useRecordForm';

interface Props<T extends Saved> {
  fields: readonly Field[];
  record: T | null;
  /** Initial values of a new record. */
  initial?: Wire;
  /** «Save product». */
  saveLabel: string;
  /** «this unit of measure», for the question before leaving. */
  what: string;
  readOnly?: boolean;
  note?: ReactNode;
  /** Called when the form becomes dirty or clean. */
  onDirty?(dirty: boolean): void;
  /** Rendered below the fields, from their values. */
  beneath?(values: FormValues): ReactNode;
  save(changed: Wire, revision: number | null): Promise<T | null>;
  onSaved(record: T, created: boolean): void;
  onClose(): void;
  danger?: ReactNode;
}

/** The form of any declared list's record. */
export function RecordDrawerForm<T extends Saved>(props: Props<T>) {
  const { fields, record, saveLabel, readOnly, onClose } = props;
  const saved = useRef(false);
  const edit = useRecordForm<T>({
    fields,
    record,
    initial: props.initial,
    save: props.save,
    onSaved: (answer, created) => {
      saved.current = true;
      props.onSaved(answer, created);
    },
  });
  const { onDirty } = props;
  useEffect(() => onDirty?.(edit.dirty), [onDirty, edit.dirty]);

  return (
    <RecordFormFrame
      edit={edit}
      fields={fields}
      values={edit.form.values}
      isNew={record === null}
      dirty={edit.dirty}
      busy={edit.busy}
      readOnly={readOnly}
      saved={saved}
      saveLabel={saveLabel}
      what={props.what}
      danger={props.danger}
      onSubmit={() => void edit.submit()}
      onClose={onClose}
    >
      <FormProblem edit={edit as RecordForm} />
      {grouped(fields).map(({ title, fields: group }, i) => (
        <DrawerSection key={title ?? '-'} title={title}>
          <Fields
            fields={group}
            form={edit.form}
            readOnly={readOnly}
            autoFocus={i === 0 && !readOnly}
          />
        </DrawerSection>
      ))}
      {props.beneath?.(edit.form.values)}
      {props.note && <DrawerNote>{props.note}</DrawerNote>}
    </RecordFormFrame>
  );
}
