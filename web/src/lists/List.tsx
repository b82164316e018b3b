import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useNamesOf } from '#/api/names';
import { useCan } from '#/api/session';
import type { Saved } from '#/form/useRecordForm';
import { DataTable } from '#/table/DataTable';
import type { TreePlace } from '#/table/treeMoves';
import type { Column, Source } from '#/table/types';
import { type TableState, writeSort } from '#/table/useTableState';
import { count } from '#/ui/format';
import { invalidateList, type ListApi } from './api';
import { BackToLists } from './BackToLists';
import { columnsOf, refKinds } from './columns';
import type { ListDef, NameOf } from './define';
import { Filters } from './Filters';
import { ListDrawer } from './ListDrawer';
import { treeOf } from './parents';
import { capitalize, useDelete } from './useDelete';
import { useHide } from './useHide';
import { useListActions } from './useListActions';
import type { Moves } from './useMoves';
import { useRowDialogs } from './useRowDialogs';
import { useSaveAsking } from './useSaveAsking';
import { useUndo } from './useUndo';

interface Props<T extends Saved> {
  def: ListDef<T>;
  api: ListApi<T>;
  state: TableState;
  source: Source<T>;
  /** The query besides words and sort order. */
  filters: Record<string, string>;
  /** Moving of records; absent for lists sorted by the server. */
  moves?: Moves<T>;
}

const idOf = (record: { id: string }) => record.id;
const NO_COLUMNS: readonly Column<never>[] = [];
const noColumns = () => NO_COLUMNS;

/** The table of a list with the actions on its records. */
export function List<T extends Saved>({ def, api, state, source, filters, moves }: Props<T>) {
  const navigate = useNavigate();
  const mayCreate = useCan(def.permission, 'create');
  const mayEdit = useCan(def.permission, 'edit');
  const mayDelete = useCan(def.permission, 'delete');
  const mayExport = useCan(def.permission, 'export');
  const kinds = useMemo(() => refKinds(def), [def]);
  const nameOf = useNamesOf(kinds);
  const useColumns = def.useColumns ?? (noColumns as () => readonly Column<T>[]);
  const own = useColumns();
  const columns = useMemo(() => columnsOf(def, nameOf, own), [def, nameOf, own]);
  const label = useCallback((record: T) => labelOf(def, record, nameOf), [def, nameOf]);
  const changed = useCallback((gone?: string) => invalidateList(def.slug, gone), [def.slug]);
  const asking = useSaveAsking(def, api);
  const open = state.get('open');
  const record = source.rows.find((row) => row?.id === open && !def.heading?.(row));
  const { offer } = useUndo(api, changed, moves?.settled);
  const rowDialogs = useRowDialogs({ def, api, rows: source.rows, label, nameOf, changed, offer });
  const mayMerge = mayDelete && mayEdit;
  const tree = useMemo(() => treeOf(def), [def]);

  const deleting = useDelete<T>({
    api,
    one: def.one,
    many: def.many,
    nameOf: label,
    changed,
    offer,
    onMerge: mayMerge ? rowDialogs.mergeOne : undefined,
  });
  const flip = useHide({ def, api, label, changed, offer });

  const openNew = () => state.set({ open: 'new', under: null }, true);
  const addBelow = (row: T) => state.set({ open: 'new', under: row.id }, true);
  const above = source.rows.find((row) => row?.id === state.get('under') && !def.heading?.(row));
  const initial = open === 'new' && above ? def.subrecord?.of(above) : undefined;
  const openRow = (row: T) =>
    def.href ? void navigate(def.href(row.id)) : state.set({ open: row.id }, true);
  const close = () => state.set({ open: null, view: null, under: null });

  function put(row: T, { under, before }: TreePlace): void {
    const above = source.rows.find((one) => one?.id === under);
    const parentId = above && def.heading?.(above) ? null : under;
    moves?.move(row, { parentId, before }, { label, changed, offer });
  }

  const actions = useListActions({
    def,
    mayEdit,
    mayDelete,
    mayMerge,
    open: openRow,
    addBelow: mayCreate && def.subrecord ? addBelow : undefined,
    remove: (row) => void deleting.remove(row),
    removeMany: deleting.removeMany,
    merge: rowDialogs.merge,
    edit: rowDialogs.edit,
    flip,
  });

  const create = mayCreate && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={openNew}>
      New {def.one}
    </Button>
  );
  const Actions = def.actions;
  const records = def.heading
    ? source.rows.filter((row) => row && !def.heading?.(row)).length
    : undefined;

  return (
    <>
      <DataTable<T>
        id={def.slug}
        title={def.title}
        back={def.base ? undefined : <BackToLists />}
        aside={
          records === undefined || source.pending || source.error
            ? undefined
            : `${count(records)} ${records === 1 ? def.one : def.many}`
        }
        one={def.one}
        many={def.many}
        icon={def.icon}
        source={source}
        columns={columns}
        rowId={idOf}
        rowLabel={label}
        state={state}
        placeholder={def.placeholder ?? `Filter ${def.many}`}
        actions={
          Actions ? (
            <>
              <Actions />
              {create}
            </>
          ) : (
            create
          )
        }
        filters={<Filters def={def} state={state} />}
        narrowed={def.narrows?.some((name) => state.get(name))}
        onClear={() => state.set({ q: null, ...emptied(def.narrows) })}
        faded={def.hides?.is}
        heading={def.heading}
        onOpen={openRow}
        hrefOf={def.href && (({ id }) => def.href?.(id) ?? '')}
        onNew={mayCreate ? openNew : undefined}
        {...actions}
        exportHref={
          mayExport
            ? (format) =>
                api.exportHref(format, {
                  q: state.q || undefined,
                  sort: writeSort(state.sort) ?? undefined,
                  ...filters,
                })
            : undefined
        }
        tree={tree}
        moves={
          tree && mayEdit && moves
            ? { ordered: Boolean(def.ordered), fits: def.fits, onMove: put }
            : undefined
        }
        empty={{ text: def.empty, action: create }}
      />
      <ListDrawer
        def={def}
        api={api}
        open={open}
        known={record}
        rows={source.rows}
        initial={initial}
        readOnly={open === 'new' ? !mayCreate : !mayEdit}
        save={asking.save}
        onClose={close}
        onRestored={() => changed()}
        onSaved={(saved, created) => {
          changed();
          offer({
            message: `${capitalize(def.one)} ${created ? 'created' : 'saved'}`,
            name: label(saved),
            records: [{ id: saved.id, revision: saved.revision }],
          });
          if (created && def.href) void navigate(def.href(saved.id));
          else close();
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
      {asking.dialog}
      {rowDialogs.dialogs}
      {deleting.dialogs}
    </>
  );
}

/** What a record is called. */
function labelOf<T extends Saved>(def: ListDef<T>, record: T, nameOf: NameOf): string {
  return def.label?.(record, nameOf) ?? String(record[def.name] ?? record.id);
}

const emptied = (names: readonly string[] = []): Record<string, null> =>
  Object.fromEntries(names.map((name) => [name, null]));
