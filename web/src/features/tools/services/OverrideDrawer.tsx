import { Button } from '@mantine/core';
import { Problem } from '#/api/problem';
import { RecordDrawerForm } from '#/form/RecordDrawerForm';
import type { Field, Wire } from '#/form/types';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { moment } from '#/ui/format';
import { done, lastingError, undoable } from '#/ui/toast';
import { type Override, overrideApi } from './forecastApi';

const fieldsOf = (isNew: boolean, unit: string | null): Field[] => [
  {
    name: 'storeId',
    label: 'Store',
    kind: 'ref',
    of: 'stores',
    required: true,
    locked: isNew ? undefined : 'Make another override for another store.',
  },
  {
    name: 'rootItemId',
    label: 'Root item',
    kind: 'ref',
    of: 'root-items',
    required: true,
    locked: isNew ? undefined : 'Make another override for another item.',
  },
  { name: 'from', label: 'From', kind: 'date', required: true },
  { name: 'to', label: 'To', kind: 'date', required: true },
  {
    name: 'qty',
    label: 'Quantity a day',
    kind: 'decimal',
    required: true,
    unit: unit ?? undefined,
  },
  {
    name: 'reason',
    label: 'Reason',
    kind: 'long',
    required: true,
    wide: true,
    hint: 'Such as «street closed for the fiesta». Who plans next reads it.',
  },
];

interface Props {
  opened: boolean;
  /** Null for a new one. */
  record: Override | null;
  initial?: Wire;
  /** The item's unit, if known. */
  unit?: string | null;
  readOnly: boolean;
  onClose(): void;
}

/** Deletes an override, and offers to restore it. */
export async function removeOverride(record: Override): Promise<void> {
  try {
    await overrideApi.remove(record.id);
  } catch (error) {
    lastingError(Problem.of(error).message);
    return;
  }
  const { storeId, rootItemId, from, to, qty, reason } = record;
  undoable({
    message: 'Override deleted',
    records: [record.id],
    undo: () => overrideApi.create({ storeId, rootItemId, from, to, qty, reason }),
  });
}

/** A forecast set by hand: how much a day, from when to when, and why. */
export function OverrideDrawer(props: Props) {
  const { opened, record, initial, unit = null, readOnly, onClose } = props;
  return (
    <DrawerFrame
      opened={opened}
      title={record ? 'Override' : 'New override'}
      size={520}
      onClose={onClose}
    >
      {opened && (
        <RecordDrawerForm<Override>
          key={record?.id ?? 'new'}
          fields={fieldsOf(record === null, unit)}
          record={record}
          initial={initial}
          readOnly={readOnly}
          saveLabel="Save override"
          what="this override"
          note={record && `Changed ${moment(record.updatedAt)} by ${record.updatedBy.name}.`}
          save={(values, revision) =>
            record
              ? overrideApi.update(record.id, { ...values, revision })
              : overrideApi.create(values)
          }
          onSaved={() => {
            done('Override saved');
            onClose();
          }}
          onClose={onClose}
          danger={
            record &&
            !readOnly && (
              <Button
                variant="subtle"
                color="red"
                onClick={() => {
                  onClose();
                  void removeOverride(record);
                }}
              >
                Delete override
              </Button>
            )
          }
        />
      )}
    </DrawerFrame>
  );
}
