import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { can, useMe } from '#/api/session';
import { WASTE_REASONS, type WasteReason } from '#/documents/waste';
import { askedOf, recallOf } from '#/stock/writeOff';
import { EmptyState } from '#/ui/EmptyState';
import { plural } from '#/ui/format';
import { CloseCard } from '../CloseCard';
import { type DocLine, DocLineCard, ProductPicker } from '../DocLines';
import lineClasses from '../DocLines.module.css';
import { useStoreRecalls } from '../data';
import { type Draft, useDraft } from '../drafts';
import { OnDevice, useOnDevice } from '../OnDevice';
import { PhotoField } from '../PhotoField';
import { useProducts } from '../products';
import { queueRecord } from '../queue';
import { placeOf } from '../reopen';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { NotSaved, Unreadable } from '../StateOf';
import { useOpenStore } from '../store';
import {
  emptyWaste,
  recalledLine,
  type WasteForm,
  wasteFault,
  wasteRecord,
  withLine,
} from './form';

/** Records waste as it happens. */
export function WasteEntry() {
  const { store } = useOpenStore();
  return <OfStore key={store.id} storeId={store.id} />;
}

function OfStore({ storeId }: { storeId: string }) {
  const me = useMe();
  const products = useProducts(storeId);
  const here = useOnDevice('waste', storeId);
  const draft = useDraft(placeOf({ kind: 'waste', storeId, subject: null }).draft, emptyWaste);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  const { value: form, set } = draft;
  useRecalled(storeId, draft);
  const mayPost = can(me, 'stores/storeTransactions', 'post');
  const faulty = form.lines.filter((line) => wasteFault(line)).length;

  const change = (key: string, by: Partial<DocLine>) =>
    set((now) => ({
      ...now,
      ...(by.reason === undefined ? {} : { reason: by.reason as WasteReason }),
      lines: now.lines.map((line) => (line.key === key ? { ...line, ...by } : line)),
    }));

  async function finish(): Promise<void> {
    setTried(true);
    if (faulty > 0) return;
    setBusy(true);
    const { uid } = me.user;
    const place = await queueRecord(wasteRecord({ uid, storeId, form, mayPost, at: new Date() }));
    setBusy(false);
    setUnsaved(place === 'nowhere');
    if (place === 'nowhere') return;
    await draft.clear();
    setTried(false);
  }

  return (
    <Screen
      title="Waste"
      dock={
        form.lines.length > 0 && (
          <div>
            {tried && faulty > 0 && (
              <p className={screen.dockFault} role="alert">
                {plural(faulty, 'item')} to look at above.
              </p>
            )}
            <Button fullWidth loading={busy} onClick={() => void finish()}>
              {mayPost ? 'Submit' : 'Save'} {plural(form.lines.length, 'item')}
            </Button>
          </div>
        )
      }
    >
      {(unsaved || !draft.safe) && <NotSaved />}
      <OnDevice {...here} done="Submitted" />
      <CloseCard storeId={storeId} />
      {!products.data && products.error ? (
        <Unreadable error={products.error} retry={() => void products.refetch()} />
      ) : (
        draft.ready && (
          <>
            <ProductPicker
              products={products.data?.items}
              onPick={(line) =>
                set((now) => ({ ...now, lines: [{ ...line, reason: now.reason }, ...now.lines] }))
              }
            />
            {form.lines.length === 0 && (
              <EmptyState
                compact
                icon={IconTrash}
                title="Nothing entered yet"
                text="Find what was thrown away, then say how much and why."
              />
            )}
            <ul className={lineClasses.lines} aria-label="Thrown away">
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
                >
                  <NativeSelect
                    size="lg"
                    aria-label={`${line.name}: why`}
                    value={line.reason ?? ''}
                    error={tried && wasteFault(line) === 'reason' && 'Choose why.'}
                    data={[{ value: '', label: 'Why?' }, ...WASTE_REASONS]}
                    onChange={(event) => change(line.key, { reason: event.currentTarget.value })}
                  />
                  {(line.reason === 'other' || line.note) && (
                    <TextInput
                      size="lg"
                      aria-label={`${line.name}: what happened`}
                      placeholder="What happened"
                      maxLength={200}
                      value={line.note ?? ''}
                      error={tried && wasteFault(line) === 'note' && 'Say what happened.'}
                      onChange={(event) => change(line.key, { note: event.currentTarget.value })}
                    />
                  )}
                </DocLineCard>
              ))}
            </ul>
            {form.lines.length > 0 && (
              <PhotoField
                ids={form.photos}
                onChange={(photos) => set((now) => ({ ...now, photos: photos(now.photos) }))}
              />
            )}
          </>
        )
      )}
    </Screen>
  );
}

/** Adds the recalled lot that the address names; earlier input stays. */
function useRecalled(storeId: string, { ready, set }: Draft<WasteForm>): void {
  const [search, setSearch] = useSearchParams();
  const asked = askedOf(search);
  const recalls = useStoreRecalls(storeId);
  const found = asked ? recallOf(recalls.data?.items, asked) : undefined;
  useEffect(() => {
    if (!ready || !found) return;
    set((now) => withLine(now, recalledLine(found)));
    // Only once: going back here must not re-add a removed line.
    setSearch({}, { replace: true });
  }, [ready, found, set, setSearch]);
}
