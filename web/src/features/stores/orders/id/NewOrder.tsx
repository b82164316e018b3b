import { Button, Select } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Problem } from '#/api/problem';
import { documentChanged } from '#/documents/api';
import { orderDef } from '#/documents/orders';
import { to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { ErrorBox } from '#/ui/ErrorBox';
import { Page, Panel } from '#/ui/Page';
import { StoreChoice, useMyStores } from '#/ui/StoreChoice';
import { ordersApi, useSources } from '../api';
import { NeededDate } from '../NeededDate';
import classes from './NewOrder.module.css';
import { back } from './page';

const LAST_STORE = 'storeCount:lastStoreId';

/** Store, source and day; then the order opens with everything that can be ordered. */
export function NewOrder() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { open: stores } = useMyStores();
  const sources = useSources();
  const [chosen, setChosen] = useState(() => search.get('storeId') ?? '');
  const [from, setFrom] = useState('');
  const [day, setDay] = useState('');
  const key = useRef(crypto.randomUUID());
  const last = localStorage.getItem(LAST_STORE) ?? '';
  const storeId = chosen || (stores.some(({ id }) => id === last) ? last : (stores[0]?.id ?? ''));
  // A store usually orders from its last source.
  const { data: latest } = useQuery({
    queryKey: ['stores', 'orders', 'last', storeId],
    queryFn: ({ signal }) => ordersApi.page({ storeId, pageSize: 1 }, signal),
    enabled: storeId !== '',
  });
  const before = latest?.items[0];
  const usual = before ? `${before.sourceType}:${before.sourceId}` : '';
  const source = from || (latest ? usual || sources.first : '');
  const [sourceType = '', sourceId = ''] = source.split(':');

  const create = useMutation({
    mutationFn: () =>
      ordersApi.create({ storeId, sourceType, sourceId, neededDate: day, lines: [] }, key.current),
    onSuccess: (order) => {
      documentChanged(orderDef, order);
      void navigate(to('storesOrder', { id: order.id }), { replace: true });
    },
    onError: () => {
      key.current = crypto.randomUUID();
    },
  });
  const problem = create.error && Problem.of(create.error);
  const draft = problem?.code === 'draftExists' ? String(problem.extras.id ?? '') : '';
  const error = (field: string) =>
    problem?.fields.find((one) => one.field === field)?.message ?? null;

  return (
    <Page title="New order" back={<BackLink {...back} />} narrow>
      <Panel>
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          {problem && problem.fields.length === 0 && (
            <ErrorBox focus>
              {problem.message}{' '}
              {draft && (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => void navigate(to('storesOrder', { id: draft }))}
                >
                  Open the draft
                </Button>
              )}
            </ErrorBox>
          )}
          <div className={classes.field}>
            <span className={classes.label}>Store</span>
            <StoreChoice fresh value={storeId} onChange={setChosen} />
            {error('storeId') && <p className={classes.error}>{error('storeId')}</p>}
          </div>
          <Select
            label="Order from"
            data={sources.groups}
            value={source || null}
            onChange={(value) => value && setFrom(value)}
            allowDeselect={false}
            searchable
            error={error('sourceId') ?? error('sourceType')}
          />
          <NeededDate
            storeId={storeId}
            sourceType={sourceType}
            sourceId={sourceId}
            value={day}
            onChange={setDay}
            error={error('neededDate')}
          />
          <Button type="submit" loading={create.isPending} disabled={!storeId || !source || !day}>
            Start order
          </Button>
        </form>
      </Panel>
    </Page>
  );
}
