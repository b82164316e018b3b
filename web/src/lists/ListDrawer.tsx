import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '#/api/problem';
import { RecordDrawerForm } from '#/form/FormDrawer';
import type { Field, Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { asTree } from '#/table/tree';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { EmptyState } from '#/ui/EmptyState';
import { moment } from '#/ui/format';
import type { ListApi } from './api';
import type { ListDef } from './define';
import { sentence } from './useDelete';

interface Props<T extends Saved> {
  def: ListDef<T>;
  api: ListApi<T>;
  /** An id, `new`, or nothing. */
  open: string;
  /** The record, if the table has it already. */
  known: T | undefined;
  rows: readonly (T | undefined)[];
  readOnly: boolean;
  save(record: T | null, changed: Wire, revision: number | null): Promise<T | null>;
  onSaved(record: T, created: boolean): void;
  onDelete?(record: T): void;
  onClose(): void;
}

export function ListDrawer<T extends Saved>(props: Props<T>) {
  const { def, api, open, known, readOnly, onClose } = props;
  const isNew = open === 'new';
  // The table may be filtered or far away from the record that the address names.
  const one = useQuery({
    queryKey: ['lists', def.slug, 'one', open],
    queryFn: ({ signal }) => api.get(open, signal),
    enabled: Boolean(open) && !isNew && !known,
  });
  const record = isNew ? null : (known ?? one.data);
  const verb = isNew ? 'New' : readOnly ? '' : 'Edit';
  const fields = withParents(def, props.rows, record ?? null);

  return (
    <DrawerFrame
      opened={Boolean(open)}
      title={sentence(`${verb} ${def.one}`.trim())}
      size={def.drawer}
      onClose={onClose}
    >
      {record === undefined ? (
        <Drawer.Body p="lg">
          {one.error ? (
            <EmptyState
              icon={IconFileUnknown}
              title={`This ${def.one} could not be opened`}
              text={Problem.of(one.error).message}
              action={
                <Button variant="default" onClick={onClose}>
                  Close
                </Button>
              }
            />
          ) : (
            Array.from({ length: 4 }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
              <Skeleton key={i} height={36} mb="lg" />
            ))
          )}
        </Drawer.Body>
      ) : (
        <RecordDrawerForm<T>
          key={record?.id ?? 'new'}
          fields={fields}
          record={record}
          readOnly={readOnly}
          saveLabel={`Save ${def.one}`}
          what={`this ${def.one}`}
          note={record && changedNote(record)}
          save={(changed, revision) => props.save(record, changed, revision)}
          onSaved={props.onSaved}
          onClose={onClose}
          danger={
            record &&
            props.onDelete && (
              <Button variant="subtle" color="red" onClick={() => props.onDelete?.(record)}>
                Delete
              </Button>
            )
          }
        />
      )}
    </DrawerFrame>
  );
}

function changedNote(record: Saved): string {
  const who = record.updatedBy?.name ? ` by ${record.updatedBy.name}` : '';
  return `Last changed ${moment(record.updatedAt)}${who}.`;
}

/** A parent can be any record that does not lie below this one. */
function withParents<T extends Saved>(
  def: ListDef<T>,
  rows: readonly (T | undefined)[],
  record: T | null,
): readonly Field[] {
  const key = def.tree;
  if (!key) return def.fields;
  const all = rows.filter((row) => row !== undefined);
  const tree = {
    id: (row: T) => row.id,
    parent: (row: T) => row[key] as string | null,
    name: (row: T) => String(row[def.name]),
  };
  const { rows: ordered, branches } = asTree(all, tree, new Set(record ? [record.id] : []));
  const options = ordered
    .filter(({ id }) => id !== record?.id)
    .map((row) => ({
      value: row.id,
      label: `${'\u2003'.repeat(branches.get(row.id)?.depth ?? 0)}${tree.name(row)}`,
    }));
  return def.fields.map((field) => (field.kind === 'parent' ? { ...field, options } : field));
}
