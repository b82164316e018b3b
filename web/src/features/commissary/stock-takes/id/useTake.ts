import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { requestAt } from '#/api/client';
import { isUnreachable, useMe } from '#/api/session';
import {
  type Differences,
  type StockTake,
  stockTakeDef,
  stockTakesApi,
  usePlaceName,
} from '#/documents/stockTakes';
import { useGridModel } from '#/grid/EntryGrid';
import { GridModel } from '#/grid/model';
import { cacheGet, cachePut, fetchThroughCache } from '#/offline/cache';
import { onCommit } from '#/offline/commit';
import { useOutbox } from '#/offline/hooks';
import { outbox, type TakeEntry, type TakeRecord } from '../takeQueue';
import { rowKey, rowsOf, type SheetRow } from './sheet';

/** A stock-take; its last answer stays on the device, so that it opens without a network. */
export function useKeptTake(id: string) {
  const { uid } = useMe().user;
  const client = useQueryClient();
  const query = useQuery({
    queryKey: [...stockTakeDef.key, 'one', id],
    enabled: id !== 'new',
    networkMode: 'always',
    queryFn: ({ signal, queryKey }) =>
      fetchThroughCache(
        uid,
        `stockTake:${id}`,
        () => stockTakesApi.get(id, signal),
        isUnreachable,
        (late) => client.setQueryData(queryKey, late),
      ),
  });
  // The answer of a step comes without asking for the stock-take again.
  const { data } = query;
  useEffect(() => {
    if (data) void cachePut(uid, `stockTake:${id}`, data);
  }, [uid, id, data]);
  return query;
}

/** The name of the place that is counted; it too stays on the device. */
export function useKeptPlace(take: StockTake): string {
  const { uid } = useMe().user;
  const name = usePlaceName(take);
  const [kept, setKept] = useState('');
  const key = `stockTakePlace:${take.id}`;
  useEffect(() => {
    if (name) void cachePut(uid, key, name);
    else void cacheGet<string>(uid, key).then((known) => known && setKept(known));
  }, [uid, key, name]);
  return name || kept;
}

/** The differences to the ledger, of a revision. */
export function useDifferences(take: StockTake, wanted: boolean) {
  return useQuery({
    queryKey: [...stockTakeDef.key, 'differences', take.id, take.revision],
    queryFn: ({ signal }) =>
      requestAt<Differences>(
        'GET',
        `${stockTakeDef.base}/${encodeURIComponent(take.id)}/differences`,
        { signal },
      ),
    enabled: wanted,
    placeholderData: (before) => before,
  });
}

type Typed = Pick<TakeEntry, 'productId' | 'uomId' | 'uomCode' | 'name' | 'counted'> &
  Partial<Pick<TakeEntry, 'lot' | 'expiry' | 'note' | 'area'>>;

/** The sheet with what waits on this device, and how numbers get onto it. */
export function useSheet(take: StockTake) {
  const { uid } = useMe().user;
  const { records, aside, unsaved, stopped } = useOutbox(outbox);
  const own = (record: TakeRecord | null): record is TakeRecord =>
    record?.takeId === take.id && record.uid === uid;
  const waiting = records.flatMap(({ record }) => (own(record) ? record.entries : []));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `waiting` is made from `records`
  const rows = useMemo(() => rowsOf(take.lines, waiting), [take.lines, records]);
  const model = useGridModel(() => new GridModel());

  const recordOf = (typed: readonly Typed[]) => (device: string, first: number) => ({
    takeId: take.id,
    takeNo: take.takeNo,
    uid,
    entries: typed.map((one, i) => ({
      ...one,
      op: `${device}:${first + i}`,
      at: new Date().toISOString(),
    })),
  });

  /** Saves numbers on the device; they are sent as soon as the server answers. */
  const count = (typed: readonly Typed[]) =>
    typed.length === 0 ? Promise.resolve() : outbox.save(typed.length, recordOf(typed));

  /** Input that is being saved: Enter commits and moves the focus, which commits again. */
  const saving = useRef(new Map<string, Promise<void>>());

  /** Saves the typed rows that are valid, each once, and takes them out of the grid's input. */
  async function commit(but?: string): Promise<void> {
    const found = typedRows(model, rows).filter(
      (typed) => typed.row.key !== but && !saving.current.has(inputOf(typed)),
    );
    if (found.length > 0) {
      const saved = save(found).finally(() => {
        for (const typed of found) saving.current.delete(inputOf(typed));
      });
      for (const typed of found) saving.current.set(inputOf(typed), saved);
    }
    await Promise.all(saving.current.values());
  }

  async function save(found: readonly TypedRow[]): Promise<void> {
    await count(found.map(({ typed }) => typed));
    for (const { row, texts } of found) {
      for (const [column, text] of texts) {
        if (model.text(row.key, column) === text) model.restore(row.key, column);
      }
    }
  }

  const latest = useRef({ commit, rows, recordOf });
  latest.current = { commit, rows, recordOf };
  useEffect(() => {
    const hide = () => {
      const now = latest.current;
      const found = typedRows(model, now.rows).map(({ typed }) => typed);
      if (found.length > 0) outbox.saveNow(found.length, now.recordOf(found));
      model.clear();
    };
    const away = () => document.visibilityState === 'hidden' && void latest.current.commit();
    window.addEventListener('pagehide', hide);
    document.addEventListener('visibilitychange', away);
    const off = onCommit(() => latest.current.commit());
    return () => {
      window.removeEventListener('pagehide', hide);
      document.removeEventListener('visibilitychange', away);
      off();
      void latest.current.commit();
    };
  }, [model]);

  return {
    rows,
    model,
    count,
    commit,
    waiting: new Set(waiting.map(({ productId, lot }) => rowKey(productId, lot))).size,
    refused: aside.filter(({ record }) => own(record)),
    unsaved: unsaved.size > 0,
    stopped,
  };
}

/** A row with valid input. */
interface TypedRow {
  row: SheetRow;
  /** Columns and their text. */
  texts: (readonly ['counted' | 'note', string])[];
  typed: Typed;
}

const inputOf = ({ row, texts }: TypedRow) => `${row.key} ${JSON.stringify(texts)}`;

/** The valid input of each row. */
function typedRows(model: GridModel, rows: readonly SheetRow[]): TypedRow[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return model.rows().flatMap((key) => {
    const row = byKey.get(key);
    if (!row) return [];
    const texts = (['counted', 'note'] as const).flatMap((column) => {
      const text = model.text(key, column);
      return text === undefined ? [] : [[column, text] as const];
    });
    const counted = model.number(key, 'counted', row.counted);
    if (Number.isNaN(counted) || (counted !== null && counted < 0)) return [];
    const note = model.text(key, 'note');
    const typed: Typed = { ...named(row), counted, ...(note === undefined ? {} : { note }) };
    return [{ row, texts, typed }];
  });
}

/** What names a row for the server and for the screen. */
export const named = (row: SheetRow) => ({
  productId: row.productId,
  ...(row.lot ? { lot: row.lot } : {}),
  uomId: row.uomId,
  uomCode: row.uomCode,
  name: row.name,
  ...(row.area ? { area: row.area } : {}),
});
