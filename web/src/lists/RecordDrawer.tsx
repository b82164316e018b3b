import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useCan } from '#/api/session';
import type { Saved } from '#/form/useRecordForm';
import { invalidateList, listApi } from './api';
import { baseOf, type ListDef } from './define';
import { ListDrawer } from './ListDrawer';
import { capitalize, useDelete } from './useDelete';
import { useUndo } from './useUndo';

interface Props<T extends Saved> {
  def: ListDef<T>;
  record: T;
  /** Called after a deletion. */
  onGone(): void;
}

/** The drawer of a record on its own page; `?open=` its id opens it. */
export function RecordDrawer<T extends Saved>({ def, record, onGone }: Props<T>) {
  const api = useMemo(() => listApi<T>(baseOf(def)), [def]);
  const mayEdit = useCan(def.permission, 'edit');
  const mayDelete = useCan(def.permission, 'delete');
  const changed = useCallback((gone?: string) => invalidateList(def.slug, gone), [def.slug]);
  const { offer } = useUndo(api, changed);
  const [search, setSearch] = useSearchParams();
  const open = search.get('open') === record.id ? record.id : '';
  const close = () =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        next.delete('open');
        next.delete('view');
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const deleting = useDelete<T>({
    api,
    one: def.one,
    many: def.many,
    nameOf: (one) => String(one[def.name]),
    changed,
    offer,
  });

  return (
    <>
      <ListDrawer
        def={def}
        api={api}
        open={open}
        known={record}
        rows={[]}
        readOnly={!mayEdit}
        save={(current, body, revision) =>
          current && revision !== null
            ? api.update(current.id, revision, body)
            : Promise.resolve(null)
        }
        onClose={close}
        onRestored={() => changed()}
        onSaved={(saved) => {
          changed();
          offer({
            message: `${capitalize(def.one)} saved`,
            name: String(saved[def.name]),
            records: [{ id: saved.id, revision: saved.revision }],
          });
          close();
        }}
        onDelete={
          mayDelete
            ? async (one) => {
                close();
                if (await deleting.remove(one)) onGone();
              }
            : undefined
        }
      />
      {deleting.dialogs}
    </>
  );
}
