import { Button, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { openOnly, useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { type Added, AddedItems } from '#/documents/AddedItems';
import { type AddedItem, AddItem } from '#/documents/AddItem';
import { documentChanged } from '#/documents/api';
import { transferDef, transfersApi } from '#/documents/transfers';
import { LeaveGuard } from '#/form/LeaveGuard';
import { to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { ErrorBox } from '#/ui/ErrorBox';
import { plural } from '#/ui/format';
import { Page, Panel } from '#/ui/Page';
import { storeOptions, useMyStores } from '#/ui/StoreChoice';
import classes from '../../New.module.css';
import { back } from './TransferView';

/** The two stores and the items. */
export function NewTransfer() {
  const navigate = useNavigate();
  const { open: mine } = useMyStores();
  const { data: stores = [] } = useNames('stores');
  const [chosen, setFrom] = useState<string | null>(null);
  const [toStoreId, setTo] = useState<string | null>(null);
  const [lines, setLines] = useState<(Added & AddedItem)[]>([]);
  const key = useRef(crypto.randomUUID());
  const saved = useRef(false);
  const fromStoreId = chosen ?? (mine.length === 1 ? (mine[0]?.id ?? null) : null);
  const create = useMutation({
    mutationFn: () =>
      transfersApi.create(
        {
          fromStoreId,
          toStoreId,
          lines: lines.map(({ productId, uomId, qty }) => ({ productId, uomId, qty })),
        },
        key.current,
      ),
    onSuccess: (transfer) => {
      documentChanged(transferDef, transfer);
      saved.current = true;
      void navigate(to('storesTransfer', { id: transfer.id }), { replace: true });
    },
    onError: () => {
      key.current = crypto.randomUUID();
    },
  });
  const problem = create.error && Problem.of(create.error);
  const error = (field: string) =>
    problem?.fields.find((one) => one.field === field)?.message ?? null;

  return (
    <Page
      title="New transfer"
      back={<BackLink {...back} />}
      narrow
      actions={
        <Button
          loading={create.isPending}
          disabled={!fromStoreId || !toStoreId || lines.length === 0}
          onClick={() => create.mutate()}
        >
          Save draft
        </Button>
      }
    >
      {problem && problem.fields.length === 0 && <ErrorBox focus>{problem.message}</ErrorBox>}
      <Panel>
        <div className={classes.head}>
          <Select
            label="From"
            placeholder="The store that sends"
            data={storeOptions(mine)}
            value={fromStoreId}
            onChange={setFrom}
            searchable
            allowDeselect={false}
            nothingFoundMessage="No such store"
            error={error('fromStoreId')}
          />
          <Select
            label="To"
            placeholder="The store that gets it"
            data={storeOptions(openOnly(stores).filter(({ id }) => id !== fromStoreId))}
            value={toStoreId === fromStoreId ? null : toStoreId}
            onChange={setTo}
            searchable
            allowDeselect={false}
            nothingFoundMessage="No such store"
            error={error('toStoreId')}
          />
        </div>
      </Panel>
      <Panel
        title="What is sent"
        aside={lines.length > 0 ? plural(lines.length, 'item') : undefined}
      >
        <AddItem
          onAdd={(item) => setLines((now) => [...now, { ...item, key: crypto.randomUUID() }])}
        />
        {error('lines') && <p className={classes.error}>{error('lines')}</p>}
        <AddedItems
          items={lines}
          errorOf={(at) =>
            problem?.fields.find(({ field }) => field.startsWith(`lines.${at}.`))?.message
          }
          onRemove={(gone) => setLines((now) => now.filter((line) => line.key !== gone))}
        />
      </Panel>
      <LeaveGuard dirty={lines.length > 0} what="this transfer" saved={saved} />
    </Page>
  );
}
