// The barcodes of products, kept on the device to scan without a network.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { askBarcodes, type Barcodes, byCode, NO_BARCODES } from '#/api/barcodes';
import { isUnreachable, useMe } from '#/api/session';
import { fetchThroughCache } from './cache';

const NAME = 'barcodes';

/** Asks for the barcodes and keeps them. */
export const keepBarcodes = (uid: string) =>
  fetchThroughCache(uid, NAME, () => askBarcodes(), isUnreachable);

/** The barcodes of all active products; empty until they are there. */
export function useBarcodes(): Barcodes {
  const { uid } = useMe().user;
  const client = useQueryClient();
  const { data } = useQuery({
    // With the products, because it changes with them.
    queryKey: ['lists', 'products', 'barcodes', uid],
    networkMode: 'always',
    staleTime: 60_000,
    queryFn: ({ signal, queryKey }) =>
      fetchThroughCache(
        uid,
        NAME,
        () => askBarcodes(signal),
        isUnreachable,
        (late) => client.setQueryData(queryKey, late),
      ),
  });
  return useMemo(() => (data ? byCode(data.items) : NO_BARCODES), [data]);
}
