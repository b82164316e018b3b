import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { AddedItems } from '#/documents/AddedItems';
import { type AddedItem, AddItem } from '#/documents/AddItem';
import { documentApi, documentChanged } from '#/documents/api';
import { type OrderHead, orderDef } from '#/documents/orders';
import { receiptDef, receiptsApi } from '#/documents/receipts';
import { LeaveGuard } from '#/form/LeaveGuard';
import { to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { ErrorBox } from '#/ui/ErrorBox';
import { day, plural } from '#/ui/format';
import { Page, Panel } from '#/ui/Page';
import { StoreChoice, useMyStores } from '#/ui/StoreChoice';
import classes from './NewReceipt.module.css';
import { back } from './ReceiptView';

interface Line extends AddedItem {
  key: string;
}

const orders = documentApi<OrderHead, OrderHead>(orderDef.base);

/** A supplier's delivery: for one of its orders, or as on its delivery note. */
export function NewReceipt() {
  const navigate = useNavigate();
  const { open: stores } = useMyStores();
  const { data: suppliers = [] } = useNames('suppliers');
  const [chosen, setChosen] = useState('');
  const [supplierId, setSupplierId] = useState<string | null>(null);
  const [orderId, setOrderId] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const [lines, setLines] = useState<Line[]>([]);
  const key = useRef(crypto.randomUUID());
  const saved = useRef(false);
  const storeId = chosen || (stores.length === 1 ? (stores[0]?.id ?? '') : '');
  const open = useQuery({
    queryKey: [...orderDef.key, 'of-supplier', storeId, supplierId],
    queryFn: ({ signal }) => {
      const status = 'approved,partiallyReceived';
      const asked = { storeId, status, sourceId: supplierId ?? undefined };
      return orders.all(asked, signal);
    },
    enabled: storeId !== '' && supplierId !== null,
    retry: false,
  });
  const ofSupplier = (open.data ?? []).filter(({ sourceType }) => sourceType === 'supplier');
  const create = useMutation({
    mutationFn: () =>
      receiptsApi.create(
        {
          storeId,
          sourceType: 'supplier',
          sourceId: supplierId,
          supplierDrNo: note,
          ...(orderId ? { orderId } : {}),
          ...(lines.length > 0 || !orderId
            ? {
                lines: lines.map(({ productId, uomId, qty: received }) => ({
                  productId,
                  uomId,
                  received,
                })),
              }
            : {}),
        },
        key.current,
      ),
    onSuccess: (receipt) => {
      documentChanged(receiptDef, receipt);
      saved.current = true;
      void navigate(to('storesReceipt', { id: receipt.id }), { replace: true });
    },
    onError: () => {
      key.current = crypto.randomUUID();
    },
  });
  const problem = create.error && Problem.of(create.error);
  const error = (field: string) =>
    problem?.fields.find((one) => one.field === field)?.message ?? null;
  const lineError = (at: number) =>
    problem?.fields.find(({ field }) => field.startsWith(`lines.${at}.`))?.message;
  const ready = storeId !== '' && supplierId !== null && (lines.length > 0 || orderId !== null);

  return (
    <Page
      title="Receipt from a supplier"
      back={<BackLink {...back} />}
      narrow
      actions={
        <Button loading={create.isPending} disabled={!ready} onClick={() => create.mutate()}>
          Start receipt
        </Button>
      }
    >
      {problem && !problem.fields.some(({ field }) => KNOWN.test(field)) && (
        <ErrorBox focus>{problem.message}</ErrorBox>
      )}
      <Panel>
        <div className={classes.head}>
          <div>
            <span className={classes.label}>Store</span>
            <StoreChoice fresh value={storeId} onChange={setChosen} />
            {error('storeId') && <p className={classes.error}>{error('storeId')}</p>}
          </div>
          <Select
            label="Supplier"
            placeholder="Who brought it"
            data={suppliers.map(({ id, name }) => ({ value: id, label: name }))}
            value={supplierId}
            onChange={(id) => {
              setSupplierId(id);
              setOrderId(null);
            }}
            searchable
            nothingFoundMessage="No such supplier"
            error={error('sourceId')}
          />
          <TextInput
            label="Delivery note no."
            placeholder="On the supplier’s paper"
            value={note}
            error={error('supplierDrNo')}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {ofSupplier.length > 0 && (
            <Select
              label="Order"
              placeholder="Without an order"
              data={ofSupplier.map((order) => ({
                value: order.id,
                label: `${order.orderNo}, needed ${day(order.neededDate)}`,
              }))}
              value={orderId}
              onChange={setOrderId}
              clearable
              clearButtonProps={{ 'aria-label': 'Without an order' }}
              error={error('orderId')}
            />
          )}
        </div>
      </Panel>
      <Panel title="What came" aside={lines.length > 0 ? plural(lines.length, 'item') : undefined}>
        {orderId && (
          <p className={classes.hint}>
            Everything still to come of the order is filled in; add only what came beside it.
          </p>
        )}
        <AddItem
          onAdd={(item) => setLines((now) => [...now, { ...item, key: crypto.randomUUID() }])}
        />
        {error('lines') && <p className={classes.error}>{error('lines')}</p>}
        <AddedItems
          items={lines}
          errorOf={lineError}
          onRemove={(key) => setLines((now) => now.filter((line) => line.key !== key))}
        />
        {lines.length === 0 && !orderId && (
          <p className={classes.hint}>
            Add what came, as the supplier’s note says. Lots, expiry, photos and what was refused
            come next.
          </p>
        )}
      </Panel>
      <LeaveGuard dirty={lines.length > 0} what="this receipt" saved={saved} />
    </Page>
  );
}

/** Fields whose errors are shown in place. */
const KNOWN = /^(storeId|sourceId|supplierDrNo|orderId|lines)/;
