import { Button, Menu, Skeleton } from '@mantine/core';
import { IconBuildingStore, IconDots, IconPlus } from '@tabler/icons-react';
import { type DragEvent, useMemo, useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { pages } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { plural } from '#/ui/format';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { done, lastingError } from '#/ui/toast';
import {
  type Group,
  storeItemsApi,
  storeItemsChanged,
  useGroups,
  useItems,
  useVisibilities,
  type VisibilityRow,
} from '../api';
import { GroupDrawer } from './GroupDrawer';
import { StoreDrawer } from './StoreDrawer';
import classes from './Visibility.module.css';

const STORE = 'application/x-larder-store';

interface Column {
  id: string | null;
  name: string;
  group: Group | null;
  stores: VisibilityRow[];
}

/** Which items each store counts: stores are in groups, and a store may have its own choice. */
export function VisibilityPage() {
  const mayEdit = useCan('lists/storeInventoryItems', 'edit');
  const visibilities = useVisibilities();
  const groups = useGroups();
  const items = useItems();
  const [openGroup, setOpenGroup] = useState<Group | 'new' | null>(null);
  const [openStore, setOpenStore] = useState<VisibilityRow | null>(null);

  const columns = useMemo<Column[]>(() => {
    const list = groups.data ?? [];
    const within = (id: string | null) =>
      (visibilities.data ?? []).filter(({ groupId }) => (groupId ?? null) === id);
    return [
      { id: null, name: 'No group', group: null, stores: within(null) },
      ...list.map((group) => ({
        id: group.id,
        name: group.name,
        group,
        stores: within(group.id),
      })),
    ];
  }, [groups.data, visibilities.data]);

  async function put(storeId: string, groupId: string | null): Promise<void> {
    try {
      // The store's own choice is moved along.
      const { itemIds, revision } = await storeItemsApi.visibility(storeId);
      await storeItemsApi.saveVisibility(storeId, { itemIds, groupId, revision });
      done('Store moved');
    } catch (error) {
      lastingError(Problem.of(error).message);
    } finally {
      storeItemsChanged();
    }
  }

  return (
    <Page
      fill
      title="Visibility"
      back={<BackLink to={pages.listStoreInventoryItems.path} label="Store inventory items" />}
      aside={groups.data && plural(groups.data.length, 'group')}
      actions={
        mayEdit && (
          <Button
            leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
            onClick={() => setOpenGroup('new')}
          >
            New group
          </Button>
        )
      }
    >
      <p className={classes.intro}>
        A store counts the items of its group. A store without a group counts every item in
        production; a store may also have a choice of its own.
      </p>
      {groups.error || visibilities.error ? (
        <p role="alert">{Problem.of(groups.error ?? visibilities.error).message}</p>
      ) : groups.isPending || visibilities.isPending ? (
        <Skeleton height={240} />
      ) : (
        <div className={classes.board}>
          {columns.map((column) => (
            <Lane
              key={column.id ?? ''}
              column={column}
              columns={columns}
              all={items.data?.length ?? 0}
              mayEdit={mayEdit}
              onPut={(storeId) => void put(storeId, column.id)}
              onMove={(storeId, groupId) => void put(storeId, groupId)}
              onStore={setOpenStore}
              onGroup={() => column.group && setOpenGroup(column.group)}
            />
          ))}
        </div>
      )}
      <GroupDrawer
        group={openGroup}
        items={items.data ?? []}
        readOnly={!mayEdit}
        onClose={() => setOpenGroup(null)}
      />
      <StoreDrawer
        store={openStore}
        stores={visibilities.data ?? []}
        groups={groups.data ?? []}
        items={items.data ?? []}
        readOnly={!mayEdit}
        onClose={() => setOpenStore(null)}
      />
    </Page>
  );
}

interface LaneProps {
  column: Column;
  columns: readonly Column[];
  all: number;
  mayEdit: boolean;
  onPut(storeId: string): void;
  onMove(storeId: string, groupId: string | null): void;
  onStore(store: VisibilityRow): void;
  onGroup(): void;
}

function Lane({ column, columns, all, mayEdit, onPut, onMove, onStore, onGroup }: LaneProps) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    setOver(false);
    const storeId = event.dataTransfer.getData(STORE);
    if (!storeId || column.stores.some((store) => store.storeId === storeId)) return;
    event.preventDefault();
    onPut(storeId);
  };
  return (
    <section
      className={classes.lane}
      data-over={over || undefined}
      aria-label={column.name}
      onDragOver={(event) => {
        if (!mayEdit || !event.dataTransfer.types.includes(STORE)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
    >
      <header className={classes.laneHead}>
        <h2>
          {column.group ? (
            <button type="button" onClick={onGroup}>
              {column.name}
            </button>
          ) : (
            column.name
          )}
        </h2>
        <span>
          {column.group
            ? plural(column.group.itemIds.length, 'item')
            : `all ${plural(all, 'item')}`}
        </span>
      </header>
      <ul className={classes.stores}>
        {column.stores.map((store) => (
          <li
            key={store.storeId}
            className={classes.store}
            draggable={mayEdit}
            onDragStart={(event) => {
              event.dataTransfer.setData(STORE, store.storeId);
              event.dataTransfer.effectAllowed = 'move';
            }}
          >
            <button type="button" onClick={() => onStore(store)}>
              <IconBuildingStore size={16} stroke={1.7} aria-hidden />
              {store.storeName}
              {store.source === 'own' && <StatusPill tone="brand">Own choice</StatusPill>}
            </button>
            {mayEdit && (
              <Menu position="bottom-end">
                <Menu.Target>
                  <button type="button" aria-label={`Move ${store.storeName}`}>
                    <IconDots size={16} aria-hidden />
                  </button>
                </Menu.Target>
                <Menu.Dropdown>
                  {columns
                    .filter(({ id }) => id !== column.id)
                    .map(({ id, name }) => (
                      <Menu.Item key={id ?? ''} onClick={() => onMove(store.storeId, id)}>
                        {id ? `Move to ${name}` : 'Take out of its group'}
                      </Menu.Item>
                    ))}
                </Menu.Dropdown>
              </Menu>
            )}
          </li>
        ))}
      </ul>
      {column.stores.length === 0 && <p className={classes.none}>No stores here.</p>}
    </section>
  );
}
