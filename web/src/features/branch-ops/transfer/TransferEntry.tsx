import { Button, NativeSelect } from '@mantine/core';
import { IconArrowsRightLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { can, useMe } from '#/api/session';
import { EmptyState } from '#/ui/EmptyState';
import { plural } from '#/ui/format';
import { CloseCard } from '../CloseCard';
import { type DocLine, DocLineCard, ProductPicker, qtyFault } from '../DocLines';
import lineClasses from '../DocLines.module.css';
import { useStores } from '../data';
import { useDraft } from '../drafts';
import { OnDevice, useOnDevice } from '../OnDevice';
import { useProducts } from '../products';
import { queueRecord } from '../queue';
import { placeOf } from '../reopen';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { NotSaved, Unreadable } from '../StateOf';
import { storeLabel, useOpenStore } from '../store';
import { emptyTransfer, transferRecord } from './form';

/** A transfer to another store. */
export function TransferEntry() {
  const { store } = useOpenStore();
  return <OfStore key={store.id} storeId={store.id} />;
}

function OfStore({ storeId }: { storeId: string }) {
  const me = useMe();
  const { all } = useStores();
  const products = useProducts(storeId);
  const here = useOnDevice('transfer', storeId);
  const { draft: name } = placeOf({ kind: 'transfer', storeId, subject: null });
  const draft = useDraft(name, emptyTransfer);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  const { value: form, set } = draft;
  const mayPost = can(me, 'stores/storeTransactions', 'post');
  const others = all.filter(({ id }) => id !== storeId);
  const target = others.find(({ id }) => id === form.toStoreId);
  const faulty = form.lines.filter((line) => qtyFault(line)).length;

  const change = (key: string, by: Partial<DocLine>) =>
    set((now) => ({
      ...now,
      lines: now.lines.map((line) => (line.key === key ? { ...line, ...by } : line)),
    }));

  async function finish(): Promise<void> {
    setTried(true);
    if (faulty > 0 || !target) return;
    setBusy(true);
    const { uid } = me.user;
    const place = await queueRecord(
      transferRecord({ uid, storeId, toName: target.name, form, mayPost, at: new Date() }),
    );
    setBusy(false);
    setUnsaved(place === 'nowhere');
    if (place === 'nowhere') return;
    await draft.clear();
    setTried(false);
  }

  return (
    <Screen
      title="Transfer"
      dock={
        form.lines.length > 0 && (
          <div>
            {tried && (faulty > 0 || !target) && (
              <p className={screen.dockFault} role="alert">
                {target ? `${plural(faulty, 'item')} to look at above.` : 'Choose the store above.'}
              </p>
            )}
            <Button fullWidth loading={busy} onClick={() => void finish()}>
              {mayPost ? 'Send' : 'Save'} {plural(form.lines.length, 'item')}
              {target ? ` to ${target.name}` : ''}
            </Button>
          </div>
        )
      }
    >
      {(unsaved || !draft.safe) && <NotSaved />}
      <OnDevice {...here} done="Sent" />
      <CloseCard storeId={storeId} />
      {!products.data && products.error ? (
        <Unreadable error={products.error} retry={() => void products.refetch()} />
      ) : (
        draft.ready && (
          <>
            <NativeSelect
              size="lg"
              mb={16}
              label="To"
              value={target?.id ?? ''}
              error={tried && !target && 'Choose the store that gets it.'}
              data={[
                { value: '', label: 'Choose a store' },
                ...others.map((one) => ({ value: one.id, label: storeLabel(one) })),
              ]}
              onChange={(event) => {
                const toStoreId = event.currentTarget.value;
                set((now) => ({ ...now, toStoreId }));
              }}
            />
            <ProductPicker
              products={products.data?.items}
              onPick={(line) => set((now) => ({ ...now, lines: [line, ...now.lines] }))}
            />
            {form.lines.length === 0 && (
              <EmptyState
                compact
                icon={IconArrowsRightLeft}
                title="Nothing entered yet"
                text="Choose the store, then find what goes there."
              />
            )}
            <ul className={lineClasses.lines} aria-label="What goes there">
              {form.lines.map((line) => (
                <DocLineCard
                  key={line.key}
                  line={line}
                  tried={tried}
                  onChange={(by) => change(line.key, by)}
                  onRemove={() =>
                    set((now) => ({
                      ...now,
                      lines: now.lines.filter(({ key }) => key !== line.key),
                    }))
                  }
                />
              ))}
            </ul>
          </>
        )
      )}
    </Screen>
  );
}
