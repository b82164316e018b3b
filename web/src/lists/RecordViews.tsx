import { Button, Drawer } from '@mantine/core';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { RecordDrawerForm } from '#/form/FormDrawer';
import type { Saved } from '#/form/useRecordForm';
import { History } from '#/history/History';
import { count, moment } from '#/ui/format';
import type { ListDrawerProps } from './ListDrawer';
import classes from './ListDrawer.module.css';
import { fieldsFor } from './parents';
import { UsesPanel, useUsesOf } from './uses/UsesPanel';

const VIEWS = [
  { value: 'details', label: 'Details' },
  { value: 'uses', label: 'Used by' },
  { value: 'history', label: 'History' },
] as const;
type View = (typeof VIEWS)[number]['value'];

/** A record's form, what refers to it, and what became of it. */
export function RecordViews<T extends Saved>(props: ListDrawerProps<T> & { record: T | null }) {
  const { def, api, record, readOnly, onClose } = props;
  const [search, setSearch] = useSearchParams();
  const wanted = VIEWS.find(({ value }) => value === search.get('view'))?.value ?? 'details';
  const view = record ? wanted : 'details';
  const used = useUsesOf(api.base, def.slug, record?.id ?? '', record !== null);
  // Somebody else's change is shown at once, but never under what is being typed.
  const dirty = useRef(false);
  const [onDirty] = useState(() => (now: boolean) => {
    dirty.current = now;
  });
  const base = useRef(record);
  if (!dirty.current) base.current = record;
  const Beneath = def.beneath;
  const locks = (record && used.data && def.locks?.(used.data)) || {};
  const fields = fieldsFor(def, props.rows, record).map((field) =>
    locks[field.name] ? { ...field, locked: locks[field.name] } : field,
  );

  const setView = (next: View) =>
    setSearch(
      (now) => {
        const params = new URLSearchParams(now);
        if (next === 'details') params.delete('view');
        else params.set('view', next);
        return params;
      },
      { replace: true, preventScrollReset: true },
    );

  return (
    <>
      {record && (
        <nav className={classes.views} aria-label={`About this ${def.one}`}>
          {VIEWS.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              className={classes.view}
              aria-current={value === view ? 'page' : undefined}
              onClick={() => setView(value)}
            >
              {label}
              {value === 'uses' && used.data && used.data.total > 0 && (
                <span className="num">{count(used.data.total)}</span>
              )}
            </button>
          ))}
        </nav>
      )}
      {/* The form stays where it is, so that nothing typed is lost by looking elsewhere. */}
      <div className={classes.panel} hidden={view !== 'details'}>
        <RecordDrawerForm<T>
          key={base.current?.revision ?? `new ${JSON.stringify(props.initial ?? null)}`}
          fields={fields}
          record={base.current}
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
      </div>
      {record && view === 'uses' && (
        <Drawer.Body className={classes.body}>
          <UsesPanel base={api.base} slug={def.slug} id={record.id} one={def.one} />
        </Drawer.Body>
      )}
      {record && view === 'history' && (
        <Drawer.Body className={classes.body}>
          <History
            base={api.base}
            id={record.id}
            labels={fields}
            canRestore={!readOnly}
            onRestored={props.onRestored}
          />
        </Drawer.Body>
      )}
    </>
  );
}

export function changedNote(record: Saved): string {
  const who = record.updatedBy?.name ? ` by ${record.updatedBy.name}` : '';
  return `Last changed ${moment(record.updatedAt)}${who}.`;
}
