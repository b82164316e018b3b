import { IconBuildingOff } from '@tabler/icons-react';
import { type ReactNode, useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useMe } from '#/api/session';
import { EmptyState } from '#/ui/EmptyState';
import classes from './Count.module.css';
import { OneStore } from './OneStore';
import type { Scope } from './types';
import { Unreachable } from './Unreachable';
import { useNow, useStores, useWarmUp } from './useCount';

const LAST_STORE = 'storeCount:lastStoreId';

function lastStore(): string {
  try {
    return localStorage.getItem(LAST_STORE) ?? '';
  } catch {
    return '';
  }
}

interface Props {
  /** Buttons beside the heading. */
  actions?(storeId: string): ReactNode;
  /** Hides the heading; the store-count app shows it in its bar. */
  bare?: boolean;
}

/** The counting page: choice of store, day and session, and the items. */
export function Count({ actions, bare }: Props) {
  const stores = useStores();
  const [search, setSearch] = useSearchParams();
  const [remembered, setRemembered] = useState(lastStore);
  const now = useNow();
  // Requested before the stores are known: on a slow phone, requests one after the other take too long.
  const { storeIds } = useMe().user;
  const likely = search.get('store') ?? remembered;
  useWarmUp(!storeIds || storeIds.includes(likely) ? likely : '');

  const change = useCallback(
    ({ storeId: store, date, session }: Partial<Scope>): void => {
      if (store) {
        setRemembered(store);
        try {
          localStorage.setItem(LAST_STORE, store);
        } catch {
          // Not remembered: the choice lasts for this visit.
        }
      }
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (store) next.set('store', store);
          if (date) next.set('date', date);
          if (session !== undefined) next.set('session', session || 'day');
          return next;
        },
        { replace: true },
      );
    },
    [setSearch],
  );

  if (stores.isPending) return <output className={classes.loading}>Loading…</output>;
  if (stores.error) return <Unreachable error={stores.error} retry={() => void stores.refetch()} />;
  const ids = new Set(stores.data.map(({ id }) => id));
  const storeId =
    [search.get('store') ?? '', remembered].find((id) => ids.has(id)) ?? stores.data[0]?.id;
  if (!storeId) {
    return (
      <EmptyState
        page
        icon={IconBuildingOff}
        title="You have no store yet"
        text="Ask your administrator to give you a store."
      />
    );
  }

  return (
    <OneStore
      key={storeId}
      storeId={storeId}
      date={search.get('date')}
      session={search.get('session')}
      now={now}
      bare={bare}
      actions={actions?.(storeId)}
      stores={stores.data}
      onChange={change}
    />
  );
}
