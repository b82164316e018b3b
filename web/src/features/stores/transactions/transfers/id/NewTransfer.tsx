import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { openOnly, useNames } from '#/api/names';
import type { Added } from '#/documents/AddedItems';
import { type AddedItem, AddItem } from '#/documents/AddItem';
import { transferDef, transfersApi } from '#/documents/transfers';
import { LeaveGuard } from '#/form/LeaveGuard';
import { to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { ErrorBox } from '#/ui/ErrorBox';
import { plural } from '#/ui/format';
import { Page, Panel } from '#/ui/Page';
import { storeOptions, useMyStores } from '#/ui/StoreChoice';
import classes from '../../New.module.css';
import { NewLines } from '../../NewLines';
import { useNewDocument } from '../../useNewDocument';
import { back } from './TransferView';

/** The two stores and the items. */
export function NewTransfer() {
  const { open: mine } = useMyStores();
  const { data: stores = [] } = useNames('stores');
  const [chosen, setFrom] = useState<string | null>(null);
  const [toStoreId, setTo] = useState<string | null>(null);
  const [lines, setLines] = useState<(Added & AddedItem)[]>([]);
  const fromStoreId = chosen ?? (mine.length === 1 ? (mine[0]?.id ?? null) : null);
  const created = useNewDocument({
    def: transferDef,
    create: (key) =>
      transfersApi.create(
        {
          fromStoreId,
          toStoreId,
          lines: lines.map(({ productId, uomId, qty }) => ({ productId, uomId, qty })),
        },
        key,
      ),
    pathOf: ({ id }) => to('storesTransfer', { id }),
  });
  const { problem, errorOf } = created;

  return (
    <Page
      title="New transfer"
      back={<BackLink {...back} />}
      narrow
      actions={
        <Button
          loading={created.busy}
          disabled={!fromStoreId || !toStoreId || lines.length === 0}
          onClick={created.create}
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
            error={errorOf('fromStoreId')}
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
            error={errorOf('toStoreId')}
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
        <NewLines lines={lines} created={created} onChange={setLines} />
      </Panel>
      <LeaveGuard dirty={lines.length > 0} what="this transfer" saved={created.saved} />
    </Page>
  );
}
