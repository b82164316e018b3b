import { Button, MultiSelect, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { request } from '#/api/client';
import { useNameOf, useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import { useCan } from '#/api/session';
import classes from '#/connectors/Connectors.module.css';
import { useSave } from '#/form/useSave';
import { pages } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { Dialog } from '#/ui/Dialog';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { DOT, moment, plural } from '#/ui/format';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { done } from '#/ui/toast';

type Key = components['schemas']['PushKey'];

const HOME = '/api/tools/import-sales-product/ingest';
const KEYS = ['push-keys'];

/** Keys for tills that push their sales, with instructions. */
export default function IngestPage() {
  const mayEdit = useCan('tools/importSalesProduct', 'import');
  const stores = useNameOf('stores');
  const [revoking, setRevoking] = useState<Key | null>(null);
  const { data, error } = useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => request('GET', `${HOME}/keys`, { signal }),
  });

  async function revoke(key: Key): Promise<void> {
    await request('POST', `${HOME}/keys/{id}/revoke`, { path: { id: key.id }, json: {} });
    await queries.invalidateQueries({ queryKey: KEYS });
    setRevoking(null);
    done('Key revoked');
  }

  return (
    <Page
      title="Till keys"
      aside={data && plural(data.items.length, 'key')}
      back={<BackLink to={pages.toolsImportSales.path} label="Import sales" />}
    >
      {mayEdit && <NewKey />}
      {error && !data && <ErrorBox>{Problem.of(error).message}</ErrorBox>}
      {data?.items.length === 0 && (
        <EmptyState
          icon={IconKey}
          compact
          title="No key yet"
          text="A till that can send its sales does so with a key of its own."
        />
      )}
      <ul className={classes.list}>
        {data?.items.map((key) => (
          <li key={key.id} className={classes.entry}>
            <div className={classes.entryHead}>
              <strong>{key.name}</strong>
              <code>{key.begins}…</code>
              <StatusPill tone={key.revokedAt ? 'neutral' : 'ok'}>
                {key.revokedAt ? 'Revoked' : 'In force'}
              </StatusPill>
            </div>
            <p className={classes.quiet}>
              {key.storeIds
                ? key.storeIds.map((id) => stores.get(id)?.name ?? id).join(', ')
                : 'All stores'}
              {DOT}made {moment(key.createdAt)} by {key.createdBy.name}
              {DOT}
              {key.lastUsedAt ? `last used ${moment(key.lastUsedAt)}` : 'never used'}
            </p>
            {mayEdit && !key.revokedAt && (
              <div className={classes.actions}>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Revoke ${key.name}`}
                  onClick={() => setRevoking(key)}
                >
                  Revoke
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <h2>How a till sends</h2>
      <pre className={classes.raw}>
        {`curl -X POST ${location.origin}${HOME} \\\n  -H "Authorization: Bearer $KEY" -H "Idempotency-Key: $BATCH" \\\n  --data-binary @receipts.csv\n\ndate,store,receipt,item,quantity,net\n2026-11-24,North,1001,Rice,2,20.00`}
      </pre>
      {revoking && (
        <Dialog
          opened
          danger
          title={`Revoke ${revoking.name}?`}
          confirm="Revoke key"
          keep="Keep key"
          onClose={() => setRevoking(null)}
          onConfirm={() => void revoke(revoking)}
        >
          <p>The till is refused from now on. What it sent stays.</p>
        </Dialog>
      )}
    </Page>
  );
}

function NewKey() {
  const { data: stores } = useNames('stores');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [made, setMade] = useState<string | null>(null);
  const { problem, run } = useSave();

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault();
    const storeIds = chosen.length > 0 ? chosen : null;
    await run(() => request('POST', `${HOME}/keys`, { json: { name, storeIds } }), {
      onSaved: async ({ key }) => {
        setMade(key);
        setName('');
        await queries.invalidateQueries({ queryKey: KEYS });
      },
    });
  }

  return (
    <form className={classes.fields} onSubmit={(event) => void make(event)}>
      <TextInput
        label="Name"
        placeholder="Till 1, North"
        value={name}
        error={problem?.message}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <MultiSelect
        label="Stores it may send"
        placeholder={chosen.length === 0 ? 'All stores' : undefined}
        data={(stores ?? []).map(({ id, name: label }) => ({ value: id, label }))}
        value={chosen}
        searchable
        withScrollArea={false}
        onChange={setChosen}
      />
      <Button type="submit" mt={24}>
        Make a key
      </Button>
      {made && (
        <p className={classes.wide} role="status">
          Copy the key now, it is not shown again: <code>{made}</code>
        </p>
      )}
    </form>
  );
}
