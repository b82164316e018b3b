import { Problem } from '#/api/problem';
import type { Wire } from '#/form/types';
import { useOpenRecord } from '#/form/useOpenRecord';
import type { Saved } from '#/form/useRecordForm';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DrawerLoading } from '#/ui/DrawerLoading';
import type { ListApi } from './api';
import type { ListDef } from './define';
import { RecordViews } from './RecordViews';
import { capitalize } from './useDelete';

export interface ListDrawerProps<T extends Saved> {
  def: ListDef<T>;
  api: ListApi<T>;
  /** An id, `new`, or nothing. */
  open: string;
  /** The record, if the table has it already. */
  known: T | undefined;
  rows: readonly (T | undefined)[];
  /** The initial values of a new record. */
  initial?: Wire;
  readOnly: boolean;
  save(record: T | null, changed: Wire, revision: number | null): Promise<T | null>;
  onSaved(record: T, created: boolean): void;
  onRestored(): void;
  onDelete?(record: T): void;
  onClose(): void;
}

export function ListDrawer<T extends Saved>(props: ListDrawerProps<T>) {
  const { def, api, open, known, readOnly, onClose } = props;
  const isNew = open === 'new';
  const { record: found, error } = useOpenRecord({
    open,
    known,
    queryKey: ['lists', def.slug, 'one', open],
    get: api.get,
  });
  const record = isNew ? null : found;
  const verb = isNew ? 'New' : readOnly ? '' : 'Edit';

  return (
    <DrawerFrame
      opened={Boolean(open)}
      title={capitalize(`${verb} ${def.one}`.trim())}
      size={def.drawer}
      onClose={onClose}
    >
      {record === undefined ? (
        <DrawerLoading
          title={`This ${def.one} could not be opened`}
          failed={error ? Problem.of(error).message : null}
          onClose={onClose}
        />
      ) : (
        <RecordViews<T> key={record?.id ?? 'new'} {...props} record={record} />
      )}
    </DrawerFrame>
  );
}
