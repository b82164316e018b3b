import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { KITCHEN_ORDERS } from '#/documents/kitchenOrders';
import { useGridModel, useStamp } from '#/grid/EntryGrid';
import { GridModel } from '#/grid/model';
import type { TableState } from '#/table/useTableState';
import { type Orders, PAGE, type ShareBody, type SharedOut } from '../kitchenOrders';
import type { Row } from './figures';
import {
  type Decided,
  decide,
  type Method,
  meanwhile,
  NO_SHARES,
  type Shares,
  sharesOf,
  stampOf,
  wordsOf,
  wrongCells,
} from './sharing';

const NONE: Decided = { lines: [], cells: [], products: [] };
const NOTHING = { at: '', words: [] };
const NO_ERRORS: ReadonlyMap<string, string> = new Map();

/** What cells show and accept while sharing; the same object until something changes. */
export interface Typing {
  on: boolean;
  model: GridModel;
  shares: Shares;
  /** Errors of cells, by `cell/share`. */
  errors: ReadonlyMap<string, string>;
}

/** Sharing out: the preview, the typed shares, and writing them into the orders. */
export interface Sharing {
  may: boolean;
  on: boolean;
  method: Method;
  withIncoming: boolean;
  typing: Typing;
  /** Cells set by hand. */
  decided: number;
  /** The first preview is loading. */
  pending: boolean;
  /** The preview may be outdated. */
  unsure: boolean;
  /** An invalid share was typed. */
  wrong: boolean;
  problem: Problem | null;
  /** Other users' changes since it began. */
  news: string | null;
  begin(): void;
  leave(): void;
  choose(method: Method): void;
  countIncoming(on: boolean): void;
  retry(): void;
  /** What the last sharing changed, a sentence per product; empty once forgotten. */
  told: readonly string[];
  forget(): void;
  approve(): Promise<SharedOut | null>;
  approving: boolean;
}

interface Asked {
  commissaryId: string;
  neededDate: string;
  orders: Orders | undefined;
  rows: readonly Row[];
  state: TableState;
}

const preview = (asked: ShareBody, signal: AbortSignal) =>
  request('POST', '/api/commissary/orders/share', { json: asked, signal });

export function useSharing({ commissaryId, neededDate, orders, rows, state }: Asked): Sharing {
  const may = useCan(PAGE, 'approve');
  const model = useGridModel(() => new GridModel());
  const stamp = useStamp(model);
  const asked = state.get('sharing');
  const on = may && (asked === 'proportional' || asked === 'equalCover') && Boolean(orders);
  const method: Method = asked === 'equalCover' ? 'equalCover' : 'proportional';
  const withIncoming = state.get('incoming') === '1';
  const seen = useMemo(() => stampOf(orders?.stores ?? []), [orders]);
  const begun = useRef<Orders | undefined>(undefined);
  const retryKey = useRef({ body: '', key: '' });
  const [refused, setRefused] = useState<Problem | null>(null);
  const [told, setTold] = useState<{ at: string; words: readonly string[] }>(NOTHING);

  const base = { commissaryId, neededDate, method, withIncoming, dryRun: true };
  const key = [...KITCHEN_ORDERS, 'share', commissaryId, neededDate, method, withIncoming, seen];
  const all = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => preview(base, signal),
    enabled: on,
    placeholderData: keepPreviousData,
  });
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
  const computed = useMemo(() => sharesOf(byId, all.data), [byId, all.data]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp represents what was typed
  const now = useMemo(() => {
    const typed = model.rows().map((cell) => ({ cell, value: model.number(cell, 'share', null) }));
    return on ? decide(byId, computed, typed) : NONE;
  }, [on, byId, computed, model, stamp]);
  const text = JSON.stringify(now.lines);
  const [settled] = useDebouncedValue({ text, decided: now }, 300);
  const byHand = useQuery({
    queryKey: [...key, settled.text],
    queryFn: ({ signal }) => {
      const { lines, products } = settled.decided;
      return preview({ ...base, lines, productIds: products }, signal);
    },
    enabled: on && settled.decided.lines.length > 0,
    retry: false,
  });
  // The last preview stays visible while the next one loads, or is refused.
  const last = useRef<SharedOut | undefined>(undefined);
  if (byHand.data) last.current = byHand.data;
  if (now.lines.length === 0) last.current = undefined;
  const decided = now.lines.length ? (byHand.data ?? last.current) : undefined;
  const shares = useMemo(
    () => (on ? sharesOf(byId, decided, computed) : NO_SHARES),
    [on, byId, computed, decided],
  );
  const handProblem = byHand.error && now.lines.length ? Problem.of(byHand.error) : null;
  const errors = useMemo(() => {
    const fields = [...(handProblem?.fields ?? []), ...(refused?.fields ?? [])];
    return fields.length ? wrongCells(fields, now.cells) : NO_ERRORS;
  }, [handProblem, refused, now.cells]);

  // A refusal holds until something changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what may change
  useEffect(() => {
    setRefused(null);
  }, [text, method, withIncoming]);
  useEffect(() => {
    if (!on) begun.current = undefined;
    else begun.current ??= orders;
  }, [on, orders]);
  const news =
    on && begun.current && orders ? meanwhile(begun.current.stores, orders.stores) : null;

  const write = useMutation({
    mutationFn: () => {
      const body: ShareBody = {
        ...base,
        dryRun: false,
        lines: now.lines,
        orders: (orders?.stores ?? []).flatMap((store) =>
          store.orders.map(({ id, revision }) => ({ id, revision })),
        ),
      };
      const text = JSON.stringify(body);
      if (retryKey.current.body !== text)
        retryKey.current = { body: text, key: crypto.randomUUID() };
      return request('POST', '/api/commissary/orders/share', {
        json: body,
        retryKey: retryKey.current.key,
      });
    },
  });

  const leave = () => {
    model.clear();
    setRefused(null);
    state.set({ sharing: null, incoming: null });
  };
  const typedWrong = model.rows().some((cell) => {
    const value = model.number(cell, 'share', null);
    return value !== null && !now.cells.includes(cell);
  });

  const typing = useMemo<Typing>(
    () => ({ on, model, shares, errors }),
    [on, model, shares, errors],
  );
  return {
    may,
    on,
    method,
    withIncoming,
    typing,
    decided: new Set(now.cells).size,
    pending: on && all.isPending,
    unsure: all.isFetching || all.isPlaceholderData || byHand.isFetching || settled.text !== text,
    wrong: typedWrong || errors.size > 0,
    problem: refused ?? (all.error ? Problem.of(all.error) : null) ?? handProblem,
    news,
    begin: () => state.set({ sharing: 'proportional', tab: null }, true),
    leave,
    choose: (next) => state.set({ sharing: next }),
    countIncoming: (count) => state.set({ incoming: count ? '1' : null }),
    retry: () => void all.refetch(),
    told: told.at === `${commissaryId} ${neededDate}` ? told.words : NOTHING.words,
    forget: () => setTold(NOTHING),
    approving: write.isPending,
    approve: async () => {
      setRefused(null);
      try {
        const answer = await write.mutateAsync();
        setTold({ at: `${commissaryId} ${neededDate}`, words: wordsOf(answer) });
        leave();
        void queries.invalidateQueries({ queryKey: KITCHEN_ORDERS });
        void queries.invalidateQueries({ queryKey: ['stores', 'orders'] });
        return answer;
      } catch (error) {
        setRefused(Problem.of(error));
        // Typed shares stay; others' changes are fetched, and the shares computed again.
        void queries.invalidateQueries({ queryKey: KITCHEN_ORDERS });
        return null;
      }
    },
  };
}
