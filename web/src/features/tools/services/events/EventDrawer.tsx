import { Button } from '@mantine/core';
import { Problem } from '#/api/problem';
import { RecordDrawerForm } from '#/form/RecordDrawerForm';
import type { Field, FormValues, Wire } from '#/form/types';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { count, day } from '#/ui/format';
import { numberOf } from '#/ui/numberInput';
import { done, lastingError, undoable } from '#/ui/toast';
import { evidence, factorLabel } from '../factors';
import { eventApi, type ForecastEvent } from '../forecastApi';
import { KINDS } from './calendar';
import classes from './Events.module.css';

interface Props {
  opened: boolean;
  /** Null for a new one. */
  record: ForecastEvent | null;
  /** A new one's first day, last day and name, if known. */
  on: string;
  until?: string;
  name?: string;
  readOnly: boolean;
  onClose(): void;
}

const FACTOR: Field = {
  name: 'factor',
  label: 'Times a usual day',
  hint: 'Leave it empty to use what was learned.',
  kind: 'decimal',
  reads: 'factor',
  wide: true,
};

const FIELDS: readonly Field[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true, wide: true, max: 100 },
  {
    name: 'kind',
    label: 'Kind',
    kind: 'choice',
    required: true,
    wide: true,
    // The calendar has the paydays.
    options: ['promotion', 'closure', 'holiday'].map((value) => ({
      value,
      label: KINDS[value] ?? value,
    })),
  },
  { name: 'from', label: 'From', kind: 'date', required: true },
  { name: 'to', label: 'To', kind: 'date', required: true },
  {
    name: 'storeIds',
    label: 'Stores',
    kind: 'refs',
    of: 'stores',
    none: 'All stores',
    wide: true,
    section: 'For whom',
  },
  {
    name: 'areaId',
    label: 'Or an area',
    kind: 'ref',
    of: 'operational-areas',
    wide: true,
  },
  { ...FACTOR, section: 'What it does to sales' },
];

/** Omitting stores or factor would clear them, so all fields are sent. */
function whole(record: ForecastEvent | null, changed: Wire): Wire {
  if (!record) return changed;
  const { name, kind, from, to, storeIds, areaId, factor } = record;
  return record.builtIn
    ? { factor, ...changed }
    : { name, kind, from, to, storeIds, areaId, factor, ...changed };
}

/** Deletes an event, and offers to restore it. */
export async function removeEvent(record: ForecastEvent): Promise<void> {
  try {
    await eventApi.remove(record.id);
  } catch (error) {
    lastingError(Problem.of(error).message);
    return;
  }
  undoable({
    message: `${record.name} deleted`,
    records: [record.id],
    undo: () => eventApi.create(whole(record, {})),
  });
}

/** One event: when, where, and its factor. For the calendar's days only the factor is editable. */
export function EventDrawer({ opened, record, on, until = on, name, readOnly, onClose }: Props) {
  const builtIn = record?.builtIn ?? false;
  return (
    <DrawerFrame
      opened={opened}
      title={record ? record.name : 'New event'}
      size={520}
      onClose={onClose}
    >
      {opened && (
        <RecordDrawerForm<ForecastEvent>
          key={record?.id ?? 'new'}
          fields={builtIn ? [FACTOR] : FIELDS}
          record={record}
          initial={{ kind: 'promotion', name: name ?? '', from: on, to: until }}
          readOnly={readOnly}
          saveLabel="Save event"
          what="this event"
          beneath={(values) => <Effect record={record} values={values} />}
          save={(changed, revision) =>
            record
              ? eventApi.update(record.id, { ...whole(record, changed), revision })
              : eventApi.create(changed)
          }
          onSaved={() => {
            done('Event saved');
            onClose();
          }}
          onClose={onClose}
          danger={
            record &&
            !builtIn &&
            !readOnly && (
              <Button
                variant="subtle"
                color="red"
                onClick={() => {
                  onClose();
                  void removeEvent(record);
                }}
              >
                Delete event
              </Button>
            )
          }
        />
      )}
    </DrawerFrame>
  );
}

/** The meaning of the factor, and the data behind a learned one. */
function Effect({ record, values }: { record: ForecastEvent | null; values: FormValues }) {
  const kind = String(values.kind ?? record?.kind ?? '');
  const typed = numberOf(String(values.factor ?? ''), 'factor');
  const learned = record?.learned;
  return (
    <div className={classes.facts}>
      {record?.builtIn && (
        <p>
          {day(record.from)}
          {record.estimated && ', an estimate: the day follows the moon and may still move'}
        </p>
      )}
      {typed !== null ? (
        <p>
          Forecasts expect <strong>{factorLabel(kind === 'closure' ? 0 : typed)}</strong> on these
          days.
        </p>
      ) : kind === 'closure' ? (
        <p>
          Forecasts expect <strong>nothing</strong> on these days.
        </p>
      ) : learned ? (
        <p>
          Forecasts expect <strong>{factorLabel(learned.factor)}</strong>, each item by its own
          sales.
        </p>
      ) : (
        <p>Forecasts learn it from the sales of such days.</p>
      )}
      {learned && learned.days > 0 && kind !== 'closure' && (
        <p className={classes.quiet}>
          {evidence({ kind, learned })} An average store sold ₱
          {count(learned.actual / learned.days)} on such a day, ₱
          {count(learned.base / learned.days)} on the same weekdays before. With few days the
          forecast stays closer to a usual day.
        </p>
      )}
    </div>
  );
}
