import { Button } from '@mantine/core';
import { RecordDrawerForm } from '#/form/RecordDrawerForm';
import { useBaseRecord } from '#/form/useBaseRecord';
import type { Saved } from '#/form/useRecordForm';
import { History } from '#/history/History';
import { DrawerBody, DrawerPanel, DrawerViews, useDrawerView } from '#/ui/DrawerViews';
import { count, moment } from '#/ui/format';
import type { ListDrawerProps } from './ListDrawer';
import { fieldsFor } from './parents';
import { UsesPanel, useUsesOf } from './uses/UsesPanel';

interface View {
  value: string;
  label: string;
}

type Views = readonly [View, ...View[]];

const DETAILS: View = { value: 'details', label: 'Details' };
const OTHERS = [
  { value: 'uses', label: 'Used by' },
  { value: 'history', label: 'History' },
];

/** A record's form, uses and history in tabs. */
export function RecordViews<T extends Saved>(props: ListDrawerProps<T> & { record: T | null }) {
  const { def, api, record, readOnly, onClose } = props;
  const own = def.view;
  const views: Views = [DETAILS, ...(own ? [own] : []), ...OTHERS];
  const [wanted, setView] = useDrawerView(views);
  const view = record ? wanted : 'details';
  const used = useUsesOf(api.base, def.slug, record?.id ?? '', record !== null);
  const { base, onDirty } = useBaseRecord(record);
  const Beneath = def.beneath;
  const locks = (record && used.data && def.locks?.(used.data)) || {};
  const fields = fieldsFor(def, props.rows, record).map((field) =>
    locks[field.name] ? { ...field, locked: locks[field.name] } : field,
  );

  return (
    <>
      {record && (
        <DrawerViews
          label={`About this ${def.one}`}
          views={views}
          view={view}
          badge={(one) =>
            one === 'uses' && used.data && used.data.total > 0 ? count(used.data.total) : null
          }
          onView={setView}
        />
      )}
      <DrawerPanel hidden={view !== 'details'}>
        <RecordDrawerForm<T>
          key={base?.revision ?? `new ${JSON.stringify(props.initial ?? null)}`}
          fields={fields}
          record={base}
          initial={props.initial}
          onDirty={onDirty}
          readOnly={readOnly}
          saveLabel={`Save ${def.one}`}
          what={`this ${def.one}`}
          note={record && changedNote(record)}
          beneath={Beneath && ((values) => <Beneath values={values} />)}
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
      </DrawerPanel>
      {record && own && view === own.value && (
        <DrawerBody>
          <own.content record={record} readOnly={readOnly} />
        </DrawerBody>
      )}
      {record && view === 'uses' && (
        <DrawerBody>
          <UsesPanel base={api.base} slug={def.slug} id={record.id} one={def.one} />
        </DrawerBody>
      )}
      {record && view === 'history' && (
        <DrawerBody>
          <History
            base={api.base}
            id={record.id}
            labels={fields}
            canRestore={!readOnly}
            onRestored={props.onRestored}
          />
        </DrawerBody>
      )}
    </>
  );
}

export function changedNote(record: Saved): string {
  const who = record.updatedBy?.name ? ` by ${record.updatedBy.name}` : '';
  return `Last changed ${moment(record.updatedAt)}${who}.`;
}
