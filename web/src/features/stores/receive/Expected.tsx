import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import type { components } from '#/api/schema.gen';
import { useCan } from '#/api/session';
import { documentChanged } from '#/documents/api';
import { receiptDef, receiptsApi } from '#/documents/receipts';
import { to } from '#/paths';
import { today } from '#/ui/dates';
import { count, day, plural } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { lastingError } from '#/ui/toast';
import classes from './Expected.module.css';

type Coming = components['schemas']['ExpectedDelivery'];

/** Deliveries shown at once. */
const AT_ONCE = 100;

/** Deliveries and transfers in transit; one tap begins to receive one. */
export function Expected() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const mayCreate = useCan(receiptDef.page, 'create');
  const keys = useRef(new Map<string, string>());
  const [shown, setShown] = useState(AT_ONCE);
  const { data } = useQuery({
    queryKey: ['stores', 'receive', 'expected'],
    queryFn: ({ signal }) => request('GET', '/api/stores/receive/expected', { signal }),
  });
  const begin = useMutation({
    mutationFn: ({ id, kind, storeId }: Coming) => {
      const key = keys.current.get(id) ?? crypto.randomUUID();
      keys.current.set(id, key);
      return receiptsApi.create({ storeId, sourceType: kind, sourceId: id }, key);
    },
    onSuccess: (receipt) => {
      documentChanged(receiptDef, receipt);
      void navigate(to('storesReceipt', { id: receipt.id }));
    },
    onError: (error) => lastingError(Problem.of(error).message),
  });
  // The code on a delivery note names the delivery.
  const scanned = search.get('delivery') ?? '';
  const found = data?.items.find(({ id }) => id === scanned);
  const draft = found?.draftId;
  useEffect(() => {
    if (draft) void navigate(to('storesReceipt', { id: draft }), { replace: true });
  }, [draft, navigate]);

  if (!data) return null;
  const now = today();
  const items = found ? [found, ...data.items.filter((one) => one !== found)] : data.items;
  const lost = scanned !== '' && !found;
  if (items.length === 0 && !lost) return null;
  return (
    <section className={classes.expected} aria-label="On the way">
      {lost && (
        <p className={classes.lost} role="status">
          The delivery of this note is not on its way to your store. It may have been taken in
          already: look for it among the receipts below.
        </p>
      )}
      {items.length > 0 && (
        <h2>
          On the way <span className="num">{items.length}</span>
          {data.late > 0 && <em>{plural(data.late, 'delivery', 'deliveries')} late</em>}
        </h2>
      )}
      <ul>
        {items.slice(0, shown).map((coming) => (
          <li
            key={coming.id}
            data-late={coming.plannedDate < now || undefined}
            data-scanned={coming.id === scanned || undefined}
          >
            <div>
              <b>
                {coming.storeName}
                {coming.kind === 'transfer' && <StatusPill tone="brand">Transfer</StatusPill>}
              </b>
              <span>
                {coming.deliveryNo} from {coming.sourceName}
              </span>
              <span>
                {plural(coming.lineCount, 'line')}, planned for {day(coming.plannedDate)}
              </span>
            </div>
            {coming.draftId ? (
              <Button
                size="xs"
                variant="default"
                className={classes.take}
                onClick={() => void navigate(to('storesReceipt', { id: coming.draftId ?? '' }))}
              >
                Go on
              </Button>
            ) : (
              mayCreate && (
                <Button
                  size="xs"
                  className={classes.take}
                  autoFocus={coming.id === scanned}
                  loading={begin.isPending && begin.variables.id === coming.id}
                  onClick={() => begin.mutate(coming)}
                >
                  Receive
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      {items.length > shown && (
        <Button size="xs" variant="default" onClick={() => setShown(shown + AT_ONCE)}>
          Show more of {count(items.length)}
        </Button>
      )}
    </section>
  );
}
