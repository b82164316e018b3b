import { Button } from '@mantine/core';
import type { ReactNode, Ref, RefObject } from 'react';
import { DrawerForm } from './DrawerForm';
import { LeaveGuard } from './LeaveGuard';
import { StaleDialog } from './StaleDialog';
import type { Field, FormValues } from './types';
import type { RecordForm } from './useRecordForm';
import { toWire } from './values';

interface Props {
  edit: Pick<RecordForm, 'stale' | 'resolve' | 'keepTyping'>;
  fields: readonly Field[];
  values: FormValues;
  isNew: boolean;
  dirty: boolean;
  busy: boolean;
  readOnly?: boolean;
  /** Set once the record is saved, so that closing the drawer asks nothing. */
  saved: RefObject<boolean>;
  /** «Save product». */
  saveLabel: string;
  /** «this unit of measure», for the question before leaving. */
  what: string;
  above?: ReactNode;
  bodyClass?: string;
  body?: Ref<HTMLDivElement>;
  danger?: ReactNode;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** The drawer form of a record: saves it, guards unsaved changes and resolves conflicts with others. */
export function RecordFormFrame(props: Props) {
  const { edit, fields, values, isNew, dirty, busy, readOnly = false, saved } = props;
  const { saveLabel, what, above, bodyClass, body, danger, onSubmit, onClose, children } = props;
  return (
    <DrawerForm
      above={above}
      bodyClass={bodyClass}
      body={body}
      danger={danger}
      shortcut={!readOnly}
      onSubmit={onSubmit}
      buttons={
        <>
          <Button variant="default" onClick={onClose}>
            {readOnly ? 'Close' : 'Cancel'}
          </Button>
          {!readOnly && (
            <Button type="submit" loading={busy} disabled={!isNew && !dirty}>
              {saveLabel}
            </Button>
          )}
        </>
      }
      dialogs={
        <>
          <LeaveGuard dirty={dirty && !readOnly} what={what} saved={saved} />
          {edit.stale && (
            <StaleDialog
              stale={edit.stale}
              fields={fields}
              mine={toWire(fields, values)}
              busy={busy}
              onResolve={edit.resolve}
              onClose={edit.keepTyping}
            />
          )}
        </>
      }
    >
      {children}
    </DrawerForm>
  );
}
