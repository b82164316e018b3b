// What is on its way, line by line, kept on the device before it arrives.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, body, request } from '#/api/client';
import { Problem } from '#/api/problem';
import type { components } from '#/api/schema.gen';
import { can, type Me, useMe } from '#/api/session';
import { cacheGet } from '#/offline/cache';
import { today } from '#/ui/dates';
import { askAndKeep } from './data';
import { KEY } from './keys';
import type { Coming } from './types';

type Receipt = components['schemas']['Receipt'];

export interface ExpectedLine {
  /** The line of the delivery. */
  id: string;
  name: string;
  sku: string | null;
  unit: string;
  expected: number;
  lot: string | null;
  expiry: string | null;
}

export interface ExpectedLines {
  lines: ExpectedLine[];
  /** The draft they come from. */
  draftId: string | null;
}

const PAGE = 'stores/storeReceive';

const name = ({ id, status }: Coming) => ['lines', id, status];

/** Whoever receives sees the lines as a receipt fills them in; a delivery's own page is the kitchen's. */
async function ask(me: Me, coming: Coming, signal?: AbortSignal): Promise<ExpectedLines> {
  const { id, kind, storeId, draftId, status } = coming;
  if (draftId) {
    const draft = await body(
      api.GET('/api/stores/receive/{id}', { params: { path: { id: draftId } }, signal }),
    );
    if (draft.status === 'draft') return fromReceipt(draft);
  }
  // Part of it was taken in: only a receipt knows what is still to come.
  if (status === 'dispatched') {
    const right = kind === 'transfer' ? 'stores/storeTransactions' : 'commissary/deliveries';
    const path = kind === 'transfer' ? '/api/stores/transfers/' : '/api/commissary/deliveries/';
    if (can(me, right)) {
      const sent = await request<{ lines: components['schemas']['ShipmentLine'][] }>(
        'GET',
        path + encodeURIComponent(id),
        { signal },
      );
      const lines = sent.lines.map(({ uomCode, dispatched, sku, lot, expiry, ...line }) => ({
        id: line.id,
        name: line.name,
        sku: sku ?? null,
        unit: uomCode,
        expected: dispatched,
        lot: lot ?? null,
        expiry: expiry ?? null,
      }));
      return { lines: lines.filter(({ expected }) => expected > 0), draftId: null };
    }
  }
  const receipt = await request<Receipt>('POST', '/api/stores/receive', {
    json: { storeId, sourceType: kind, sourceId: id },
    retryKey: `begin:${id}:${status}:${today()}`,
    signal,
  });
  return fromReceipt(receipt);
}

function fromReceipt({ id: draftId, lines }: Receipt): ExpectedLines {
  return {
    draftId,
    lines: lines.flatMap(({ sourceLineId, uomCode, expected, sku, lot, expiry, ...line }) =>
      sourceLineId
        ? [
            {
              id: sourceLineId,
              name: line.name,
              sku: sku ?? null,
              unit: uomCode,
              expected,
              lot: lot ?? null,
              expiry: expiry ?? null,
            },
          ]
        : [],
    ),
  };
}

/** Keeps the lines of what arrives by today on the device, if they are not there yet. */
export async function keepLines(me: Me, coming: Coming): Promise<void> {
  if (coming.plannedDate > today() || !can(me, PAGE, 'create')) return;
  // Perhaps nothing of it is to come any more: a receipt is begun only by who opens it.
  if (coming.status === 'partiallyReceived' && !coming.draftId) return;
  const { uid } = me.user;
  if (await cacheGet(uid, `branch:${name(coming).join(':')}`)) return;
  await askAndKeep(uid, name(coming), () => ask(me, coming)).catch((error: unknown) => {
    // One that cannot be read must not keep the others from the device.
    if (Problem.of(error).status === 0) throw error;
  });
}

export function useExpectedLines(coming: Coming | undefined) {
  const me = useMe();
  const client = useQueryClient();
  return useQuery({
    queryKey: [...KEY, ...(coming ? name(coming) : ['lines'])],
    enabled: coming !== undefined,
    networkMode: 'always',
    staleTime: 20_000,
    retry: false,
    queryFn: ({ signal, queryKey }) => {
      if (!coming) throw new Error('there is nothing to ask for');
      return askAndKeep(
        me.user.uid,
        name(coming),
        () => ask(me, coming, signal),
        (late) => client.setQueryData(queryKey, late),
      );
    },
  });
}
