import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Added } from '#/documents/AddedItems';
import { type AddedItem, AddItem } from '#/documents/AddItem';
import { Photos } from '#/documents/Photos';
import {
  WASTE_REASONS,
  type WasteReason,
  wasteApi,
  wasteDef,
  wasteReasonOf,
} from '#/documents/waste';
import { LeaveGuard } from '#/form/LeaveGuard';
import { to } from '#/paths';
import { type Recall, useRecalls } from '#/stock/api';
import { askedOf, itemOf, recallOf } from '#/stock/writeOff';
import { BackLink } from '#/ui/BackLink';
import { DateField } from '#/ui/DateField';
import { today } from '#/ui/dates';
import { ErrorBox } from '#/ui/ErrorBox';
import { plural } from '#/ui/format';
import { Page, Panel } from '#/ui/Page';
import { storeOptions, useMyStores } from '#/ui/StoreChoice';
import classes from '../../New.module.css';
import { NewLines } from '../../NewLines';
import { useNewDocument } from '../../useNewDocument';
import { back } from './WasteView';

type Line = Added & AddedItem & { reason: WasteReason; note: string; lot?: string };

/** A store's waste and the reasons. A recalled lot in the address is filled in. */
export function NewWaste() {
  const [search] = useSearchParams();
  const storeId = search.get('store');
  const asked = askedOf(search);
  const recalls = useRecalls(storeId ?? '');
  if (!storeId || !asked) return <Report />;
  if (recalls.isLoading) {
    return (
      <Page title="New waste report" back={<BackLink {...back} />} narrow>
        <output>Loading…</output>
      </Page>
    );
  }
  const recall = recallOf(recalls.data?.items, asked);
  return <Report storeId={storeId} line={recall && lineOf(recall)} />;
}

function lineOf(recall: Recall): Line {
  const words = `${wasteReasonOf('recalled')}: lot ${recall.lot}, what is likely left`;
  return {
    ...itemOf(recall),
    key: recall.lot,
    reason: 'recalled',
    note: '',
    lot: recall.lot,
    text: words,
  };
}

interface Begun {
  storeId?: string;
  line?: Line;
}

function Report({ storeId: asked, line }: Begun) {
  const { open: stores } = useMyStores();
  const [chosen, setStore] = useState<string | null>(asked ?? null);
  const [date, setDate] = useState(today);
  const [reason, setReason] = useState<WasteReason>(line?.reason ?? 'expired');
  const [note, setNote] = useState('');
  const [missing, setMissing] = useState(false);
  const [photos, setPhotos] = useState<string[]>([]);
  const [lines, setLines] = useState<Line[]>(line ? [line] : []);
  const storeId = chosen ?? (stores.length === 1 ? (stores[0]?.id ?? null) : null);
  const created = useNewDocument({
    def: wasteDef,
    create: (key) =>
      wasteApi.create(
        {
          storeId,
          businessDate: date,
          photos,
          lines: lines.map((line) => ({
            productId: line.productId,
            uomId: line.uomId,
            qty: line.qty,
            reason: line.reason,
            note: line.note,
            ...(line.lot ? { lot: line.lot } : {}),
          })),
        },
        key,
      ),
    pathOf: ({ id }) => to('storesWasteReport', { id }),
  });
  const { problem, errorOf } = created;

  return (
    <Page
      title="New waste report"
      back={<BackLink {...back} />}
      narrow
      actions={
        <Button
          loading={created.busy}
          disabled={!storeId || lines.length === 0}
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
            label="Store"
            placeholder="Choose a store"
            data={storeOptions(stores)}
            value={storeId}
            onChange={(id) => {
              setStore(id);
              // Photos belong to the store they were uploaded for.
              setPhotos([]);
            }}
            searchable
            allowDeselect={false}
            nothingFoundMessage="No such store"
            error={errorOf('storeId')}
          />
          <DateField
            label="Date"
            max={today()}
            value={date}
            error={errorOf('businessDate')}
            onChange={(date) => setDate(date)}
          />
        </div>
      </Panel>
      <Panel
        title="What and why"
        aside={lines.length > 0 ? plural(lines.length, 'item') : undefined}
      >
        <div className={classes.why}>
          <Select
            label="Reason"
            data={[...WASTE_REASONS]}
            value={reason}
            onChange={(next) => next && setReason(next as WasteReason)}
            allowDeselect={false}
          />
          <TextInput
            label="What happened"
            placeholder={reason === 'other' ? 'Needed for «Other»' : 'If there is more to say'}
            maxLength={200}
            value={note}
            error={missing && reason === 'other' && note.trim() === '' && 'Say what happened.'}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </div>
        <AddItem
          onAdd={(item) => {
            const text = note.trim();
            setMissing(reason === 'other' && text === '');
            const words = wasteReasonOf(reason);
            const line = { ...item, reason, note: text, text: text ? `${words}: ${text}` : words };
            setLines((now) => [...now, { ...line, key: crypto.randomUUID() }]);
          }}
        />
        <NewLines lines={lines} created={created} onChange={setLines} />
      </Panel>
      {storeId && (
        <Photos storeId={storeId} ids={photos} onChange={setPhotos} error={errorOf('photos')} />
      )}
      <LeaveGuard dirty={lines.length > 0} what="this waste report" saved={created.saved} />
    </Page>
  );
}
