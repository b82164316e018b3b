import { Alert, Button, Drawer } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Kbd } from '#/ui/Kbd';
import { Fields, grouped } from './Fields';
import classes from './FormDrawer.module.css';
import { LeaveGuard } from './LeaveGuard';
import { StaleDialog } from './StaleDialog';
import type { Field, FormValues, Wire } from './types';
import { type RecordForm, type Saved, useRecordForm } from './useRecordForm';
import { toWire } from './values';

interface Props<T extends Saved> {
  fields: readonly Field[];
  record: T | null;
  /** What a new one begins with. */
  initial?: Wire;
  /** «Save product». */
  saveLabel: string;
  /** «this unit of measure», for the question before leaving. */
  what: string;
  readOnly?: boolean;
  note?: ReactNode;
  /** Told whenever there comes to be something unsaved, or no longer is. */
  onDirty?(dirty: boolean): void;
  /** What stands beneath the fields and follows what is typed. */
  beneath?(values: FormValues): ReactNode;
  save(changed: Wire, revision: number | null): Promise<T | null>;
  onSaved(record: T, created: boolean): void;
  onClose(): void;
  danger?: ReactNode;
}

export function RecordDrawerForm<T extends Saved>(props: Props<T>) {
  const { fields, record, saveLabel, readOnly, onClose } = props;
  const done = useRef(false);
  const edit = useRecordForm<T>({
    fields,
    record,
    initial: props.initial,
    save: props.save,
    onSaved: (saved, created) => {
      done.current = true;
      props.onSaved(saved, created);
    },
  });
  const { onDirty } = props;
  useEffect(() => onDirty?.(edit.dirty), [onDirty, edit.dirty]);

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void edit.submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !readOnly) {
          event.preventDefault();
          void edit.submit();
        }
      }}
    >
      <Drawer.Body className={classes.body}>
        <FormProblem edit={edit as RecordForm} />
        {grouped(fields).map(({ title, fields: group }, i) => (
          <section key={title ?? '-'} className={classes.group}>
            {title && <h3 className={classes.section}>{title}</h3>}
            <Fields
              fields={group}
              form={edit.form}
              readOnly={readOnly}
              autoFocus={i === 0 && !readOnly}
            />
          </section>
        ))}
        {props.beneath?.(edit.form.values)}
        {props.note && <p className={classes.note}>{props.note}</p>}
      </Drawer.Body>
      <footer className={classes.footer}>
        {props.danger}
        <span className={classes.keys}>
          <Kbd>Ctrl Enter</Kbd>
        </span>
        <Button variant="default" onClick={onClose}>
          {readOnly ? 'Close' : 'Cancel'}
        </Button>
        {!readOnly && (
          <Button type="submit" loading={edit.busy} disabled={record !== null && !edit.dirty}>
            {saveLabel}
          </Button>
        )}
      </footer>
      <LeaveGuard dirty={edit.dirty && !readOnly} what={props.what} saved={done} />
      {edit.stale && (
        <StaleDialog
          stale={edit.stale}
          fields={fields}
          mine={toWire(fields, edit.form.values)}
          busy={edit.busy}
          onResolve={edit.resolve}
          onClose={edit.keepTyping}
        />
      )}
    </form>
  );
}

/** A refusal that belongs to no field. */
export function FormProblem({ edit }: { edit: Pick<RecordForm, 'problem'> }) {
  if (!edit.problem) return null;
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      icon={<IconAlertCircle size={18} aria-hidden />}
      classNames={{ root: classes.problem, message: classes.problemText }}
    >
      {edit.problem.message}
      {edit.problem.requestId && edit.problem.status >= 500 && ` (${edit.problem.requestId})`}
    </Alert>
  );
}
