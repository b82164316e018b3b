// Lines of incoming documents, cached before they arrive.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import type { components } from '#/api/schema.gen';
import { can, type Me, useMe } from '#/api/session';
import { cacheGet } from '#/offline/cache';
import { askAndKeep } from './data';
import { KEY } from './keys';
import type { Coming } from './types';

type Receipt = components['schemas']['Receipt'];

export interface ExpectedLine {
  /** The delivery line. */
  id: string;
  name: string;
  /** Not in lines that a device kept before it was asked for. */
  productId?: string;
  uomId?: string;
  sku: string | null;
  unit: string;
  /** Whether quantities are whole numbers, if the server says. */
  whole?: boolean | null;
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

/** The lines of a draft, else those still to be received. */
async function ask(coming: Coming, signal?: AbortSignal): Promise<ExpectedLines> {
  const { id, storeId, draftId } = coming;
  if (draftId) {
    const draft = await request('GET', '/api/stores/receive/{id}', {
      path: { id: draftId },
      signal,
    });
    if (draft.status === 'draft') return fromReceipt(draft);
  }
  const { items } = await request('GET', '/api/stores/receive/expected', {
    query: { storeId, lines: true },
    signal,
  });
  const found = items.find((one) => one.id === id);
  if (!found) throw new Problem(409, 'notOnItsWay', 'Nothing of this is to be taken in any more.');
  return {
    draftId: null,
    lines: (found.lines ?? []).map(({ uomCode, whole, sku, lot, expiry, ...line }) => ({
      id: line.id,
      name: line.name,
      productId: line.productId,
      uomId: line.uomId,
      sku: sku ?? null,
      unit: uomCode,
      whole: whole ?? null,
      expected: line.expected,
      lot: lot ?? null,
      expiry: expiry ?? null,
    })),
  };
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
              productId: line.productId,
              uomId: line.uomId,
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

/** Caches the lines of what is on its way, whatever its planned day: it may come early. Cached ones are left alone. */
export async function keepLines(me: Me, coming: Coming): Promise<void> {
  if (!can(me, PAGE, 'create')) return;
  const { uid } = me.user;
  if (await cacheGet(uid, `branch:${name(coming).join(':')}`)) return;
  await askAndKeep(uid, name(coming), () => ask(coming)).catch((error: unknown) => {
    // One that cannot be read must not block the others.
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
        () => ask(coming, signal),
        (late) => client.setQueryData(queryKey, late),
      );
    },
  });
}
