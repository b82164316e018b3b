import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Problem } from '#/api/problem';
import { type Added, AddedItems } from '#/documents/AddedItems';
import { type AddedItem, AddItem } from '#/documents/AddItem';
import { documentChanged } from '#/documents/api';
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
  const words = `${wasteReasonOf('recalled')}: lot ${recall.lot}, all that may be left`;
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
  const navigate = useNavigate();
  const { open: stores } = useMyStores();
  const [chosen, setStore] = useState<string | null>(asked ?? null);
  const [date, setDate] = useState(today);
  const [reason, setReason] = useState<WasteReason>(line?.reason ?? 'expired');
  const [note, setNote] = useState('');
  const [missing, setMissing] = useState(false);
  const [photos, setPhotos] = useState<string[]>([]);
  const [lines, setLines] = useState<Line[]>(line ? [line] : []);
  const key = useRef(crypto.randomUUID());
  const saved = useRef(false);
  const storeId = chosen ?? (stores.length === 1 ? (stores[0]?.id ?? null) : null);
  const create = useMutation({
    mutationFn: () =>
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
        key.current,
      ),
    onSuccess: (waste) => {
      documentChanged(wasteDef, waste);
      saved.current = true;
      void navigate(to('storesWasteReport', { id: waste.id }), { replace: true });
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
      title="New waste report"
      back={<BackLink {...back} />}
      narrow
      actions={
        <Button
          loading={create.isPending}
          disabled={!storeId || lines.length === 0}
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
            error={error('storeId')}
          />
          <DateField
            label="Date"
            max={today()}
            value={date}
            error={error('businessDate')}
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
        {error('lines') && <p className={classes.error}>{error('lines')}</p>}
        <AddedItems
          items={lines}
          errorOf={(at) =>
            problem?.fields.find(({ field }) => field.startsWith(`lines.${at}.`))?.message
          }
          onRemove={(gone) => setLines((now) => now.filter((line) => line.key !== gone))}
        />
      </Panel>
      {storeId && (
        <Photos storeId={storeId} ids={photos} onChange={setPhotos} error={error('photos')} />
      )}
      <LeaveGuard dirty={lines.length > 0} what="this waste report" saved={saved} />
    </Page>
  );
}
