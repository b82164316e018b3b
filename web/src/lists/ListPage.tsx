import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useCan } from '#/api/session';
import type { Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { DataTable } from '#/table/DataTable';
import { clientSource, useServerSource } from '#/table/sources';
import type { Source } from '#/table/types';
import { type TableState, useTableState, writeSort } from '#/table/useTableState';
import { Segments } from '#/ui/Segments';
import { done } from '#/ui/toast';
import { listApi, listChanged, useNamesOf } from './api';
import { BackToLists } from './BackToLists';
import { columnsOf, refKinds } from './columns';
import type { AskProps, ListDef } from './define';
import { ListDrawer } from './ListDrawer';
import { sentence, useDelete } from './useDelete';

interface Props<T extends Saved> {
  def: ListDef<T>;
}

/** The page of a declared list. */
export function listPage<T extends Saved>(def: ListDef<T>) {
  const Body = def.remote ? RemoteList<T> : LocalList<T>;
  return function Page() {
    return <Body def={def} />;
  };
}

function filtersOf<T extends Saved>(def: ListDef<T>, state: TableState) {
  const hidden = def.hides && state.get('show') === 'all' ? { [def.hides.param]: 'true' } : {};
  return hidden as Record<string, string>;
}

function LocalList<T extends Saved>({ def }: Props<T>) {
  const state = useTableState();
  const api = useMemo(() => listApi<T>(`/api/lists/${def.slug}`), [def.slug]);
  const filters = filtersOf(def, state);
  const query = useQuery({
    queryKey: ['lists', def.slug, 'all', filters],
    queryFn: async ({ signal }) => (await api.all(filters, signal)).items,
  });
  return <List def={def} state={state} source={clientSource(query)} />;
}

function RemoteList<T extends Saved>({ def }: Props<T>) {
  const state = useTableState();
  const api = useMemo(() => listApi<T>(`/api/lists/${def.slug}`), [def.slug]);
  const query = {
    q: state.q || undefined,
    sort: writeSort(state.sort) ?? undefined,
    ...filtersOf(def, state),
  };
  const source = useServerSource<T>(['lists', def.slug, 'page', query], (page, pageSize, signal) =>
    api.page({ ...query, page, pageSize }, signal),
  );
  return <List def={def} state={state} source={source} />;
}

interface ListProps<T extends Saved> extends Props<T> {
  state: TableState;
  source: Source<T>;
}

function List<T extends Saved>({ def, state, source }: ListProps<T>) {
  const api = useMemo(() => listApi<T>(`/api/lists/${def.slug}`), [def.slug]);
  const mayCreate = useCan(def.permission, 'create');
  const mayEdit = useCan(def.permission, 'edit');
  const mayDelete = useCan(def.permission, 'delete');
  const mayExport = useCan(def.permission, 'export');
  const kinds = useMemo(() => refKinds(def), [def]);
  const nameOf = useNamesOf(kinds);
  const columns = useMemo(() => columnsOf(def, nameOf), [def, nameOf]);
  const label = useCallback((record: T) => String(record[def.name] ?? record.id), [def.name]);
  const changed = useCallback(() => listChanged(def.slug), [def.slug]);
  const [asking, setAsking] = useState<AskProps<T> | null>(null);
  const open = state.get('open');
  const record = source.rows.find((row) => row?.id === open);

  const deleting = useDelete<T>({
    api,
    fields: def.fields,
    one: def.one,
    many: def.many,
    nameOf: label,
    changed,
  });

  const openNew = () => state.set({ open: 'new' }, true);
  const close = () => state.set({ open: null });

  /** Asks what a change raises, then sends it. */
  async function save(current: T | null, body: Wire, revision: number | null): Promise<T | null> {
    if (!current || revision === null) return api.create(body);
    let options: Wire | null = {};
    if (def.ask?.when(body)) {
      options = await new Promise<Wire | null>((answer) =>
        setAsking({ record: current, changed: body, answer }),
      );
      setAsking(null);
      if (!options) return null;
    }
    return api.update(current.id, revision, { ...body, ...options });
  }

  const create = mayCreate && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={openNew}>
      New {def.one}
    </Button>
  );
  const Ask = def.ask?.dialog;

  return (
    <>
      <DataTable<T>
        id={def.slug}
        title={def.title}
        back={<BackToLists />}
        one={def.one}
        many={def.many}
        icon={def.icon}
        source={source}
        columns={columns}
        rowId={idOf}
        rowLabel={label}
        state={state}
        placeholder={`Filter ${def.many}`}
        actions={create}
        filters={
          def.hides && (
            <Segments
              label="Shown"
              value={state.get('show') === 'all' ? 'all' : 'usual'}
              options={[
                { value: 'usual', label: def.hides.usual },
                { value: 'all', label: def.hides.all },
              ]}
              onChange={(value) => state.set({ show: value === 'all' ? 'all' : null })}
            />
          )
        }
        faded={def.hides?.is}
        onOpen={(row) => state.set({ open: row.id }, true)}
        onNew={mayCreate ? openNew : undefined}
        rowActions={[
          {
            label: mayEdit ? 'Edit' : 'Open',
            icon: IconPencil,
            run: (row) => state.set({ open: row.id }, true),
          },
          ...(mayDelete
            ? [
                {
                  label: `Delete ${def.one}`,
                  icon: IconTrash,
                  danger: true,
                  run: (row: T) => void deleting.remove(row),
                },
              ]
            : []),
        ]}
        bulkActions={mayDelete ? [{ label: 'Delete', danger: true, run: deleting.removeMany }] : []}
        exportHref={
          mayExport
            ? (format) =>
                api.exportHref(format, {
                  q: state.q || undefined,
                  sort: writeSort(state.sort) ?? undefined,
                  ...filtersOf(def, state),
                })
            : undefined
        }
        tree={
          def.tree && {
            id: idOf,
            parent: (row) => row[def.tree as keyof T] as string | null,
            name: label,
          }
        }
        empty={{ text: def.empty, action: create }}
      />
      <ListDrawer
        def={def}
        api={api}
        open={open}
        known={record}
        rows={source.rows}
        readOnly={open === 'new' ? !mayCreate : !mayEdit}
        save={save}
        onClose={close}
        onSaved={(_, created) => {
          changed();
          done(`${sentence(def.one)} ${created ? 'created' : 'saved'}`);
          close();
        }}
        onDelete={
          mayDelete
            ? (row) => {
                close();
                void deleting.remove(row);
              }
            : undefined
        }
      />
      {Ask && asking && <Ask {...asking} />}
      {deleting.dialogs}
    </>
  );
}

const idOf = (record: { id: string }) => record.id;
