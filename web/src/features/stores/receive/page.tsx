import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { api, body } from '#/api/client';
import { useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { documentChanged } from '#/documents/api';
import { DocumentList } from '#/documents/DocumentList';
import { receiptDef, receiptsApi } from '#/documents/receipts';
import { to } from '#/paths';
import { today } from '#/ui/dates';
import { day, plural } from '#/ui/format';
import { lastingError } from '#/ui/toast';
import classes from './Expected.module.css';

export default function ReceivePage() {
  return (
    <div className={classes.page}>
      <Expected />
      <DocumentList def={receiptDef} />
    </div>
  );
}

/** Deliveries on their way: one tap begins to take one in. */
function Expected() {
  const navigate = useNavigate();
  const stores = useNameOf('stores');
  const mayCreate = useCan(receiptDef.page, 'create');
  const keys = useRef(new Map<string, string>());
  const { data } = useQuery({
    queryKey: ['stores', 'receive', 'expected'],
    queryFn: ({ signal }) => body(api.GET('/api/stores/receive/expected', { signal })),
  });
  const begin = useMutation({
    mutationFn: ({ id, storeId }: { id: string; storeId: string }) => {
      const key = keys.current.get(id) ?? crypto.randomUUID();
      keys.current.set(id, key);
      return receiptsApi.create({ storeId, sourceType: 'delivery', sourceId: id }, key);
    },
    onSuccess: (receipt) => {
      documentChanged(receiptDef, receipt);
      void navigate(to('storesReceipt', { id: receipt.id }));
    },
    onError: (error) => lastingError(Problem.of(error).message),
  });
  if (!data || data.items.length === 0) return null;
  const now = today();
  return (
    <section className={classes.expected} aria-label="On the way">
      <h2>
        On the way <span className="num">{data.items.length}</span>
        {data.late > 0 && <em>{plural(data.late, 'delivery', 'deliveries')} late</em>}
      </h2>
      <ul>
        {data.items.map((delivery) => (
          <li key={delivery.id} data-late={delivery.plannedDate < now || undefined}>
            <div>
              <b>{stores.get(delivery.storeId)?.name ?? ''}</b>
              <span>
                {delivery.deliveryNo} from {delivery.sourceName}
              </span>
              <span>
                {plural(delivery.lineCount, 'line')}, planned for {day(delivery.plannedDate)}
              </span>
            </div>
            {delivery.draftId ? (
              <Button
                size="xs"
                variant="default"
                onClick={() => void navigate(to('storesReceipt', { id: delivery.draftId ?? '' }))}
              >
                Go on
              </Button>
            ) : (
              mayCreate && (
                <Button
                  size="xs"
                  loading={begin.isPending && begin.variables.id === delivery.id}
                  onClick={() => begin.mutate(delivery)}
                >
                  Receive
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
