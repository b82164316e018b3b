import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type ChangeEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { useMe } from '#/api/session';
import { DENOMINATIONS, pieceName, piecesFault, piecesOf, sumOf } from '#/documents/cash';
import { DateField } from '#/ui/DateField';
import { addDays, today } from '#/ui/dates';
import { amount, day, money } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { useDraft } from '../drafts';
import { OnDevice, useOnDevice } from '../OnDevice';
import { PhotoField } from '../PhotoField';
import { queueRecord } from '../queue';
import { placeOf } from '../reopen';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { NotSaved } from '../StateOf';
import { useOpenStore } from '../store';
import type { BranchRecord } from '../types';
import classes from './Cash.module.css';
import {
  cashFault,
  cashRecord,
  depositFault,
  depositRecord,
  emptyCash,
  emptyDeposit,
} from './form';

const OTHERS = [
  { kind: 'card', label: 'Cards' },
  { kind: 'eWallet', label: 'E-wallets' },
  { kind: 'voucher', label: 'Vouchers' },
  { kind: 'onAccount', label: 'On account' },
];

/** The drawer count by notes and coins, and the deposit slip. */
export function CashEntry() {
  const { store } = useOpenStore();
  return <OfStore key={store.id} storeId={store.id} />;
}

function OfStore({ storeId }: { storeId: string }) {
  const [deposit, setDeposit] = useState(false);
  const views = (
    <fieldset className={classes.views} aria-label="What">
      <button type="button" aria-pressed={!deposit} onClick={() => setDeposit(false)}>
        Count the drawer
      </button>
      <button type="button" aria-pressed={deposit} onClick={() => setDeposit(true)}>
        Deposit slip
      </button>
    </fieldset>
  );
  return deposit ? (
    <Deposit storeId={storeId} views={views} />
  ) : (
    <Drawer storeId={storeId} views={views} />
  );
}

interface Props {
  storeId: string;
  views: ReactNode;
}

/** Queues the form once it is valid. */
function useFinish<T>(form: T, fault: (form: T) => string | null, clear: () => Promise<void>) {
  const { uid } = useMe().user;
  const [said, setSaid] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  async function finish(make: (who: { uid: string; at: Date }) => BranchRecord): Promise<void> {
    const wrong = fault(form);
    setSaid(wrong);
    if (wrong) return;
    setBusy(true);
    const place = await queueRecord(make({ uid, at: new Date() }));
    setBusy(false);
    setUnsaved(place === 'nowhere');
    if (place !== 'nowhere') await clear();
  }
  return { said, busy, unsaved, finish };
}

/** Enter moves to the next field, as on the keypad. */
function next(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[data-counted]')];
  fields[fields.indexOf(event.currentTarget) + 1]?.focus();
}

function Days({ value, onChange }: { value: string; onChange(day: string): void }) {
  const now = today();
  const days = [0, -1, -2, -3].map((n) => addDays(now, n));
  const known = days.includes(value) ? days : [value, ...days];
  return (
    <NativeSelect
      size="lg"
      label="Business day"
      data={known.map((one) => ({
        value: one,
        label: one === now ? `Today, ${day(one)}` : day(one),
      }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Drawer({ storeId, views }: Props) {
  const here = useOnDevice('cash', storeId);
  const draft = useDraft(placeOf({ kind: 'cash', storeId, subject: null }).draft, () =>
    emptyCash(today()),
  );
  const { value: form, set } = draft;
  const { said, busy, unsaved, finish } = useFinish(form, cashFault, draft.clear);
  return (
    <Screen
      title="Cash declaration"
      dock={
        <div>
          {said && (
            <p className={screen.dockFault} role="alert">
              {said}
            </p>
          )}
          <Button
            fullWidth
            loading={busy}
            onClick={() => void finish((who) => cashRecord(form, { ...who, storeId }))}
          >
            Declare {money(sumOf(form.pieces))}
          </Button>
        </div>
      }
    >
      {(unsaved || !draft.safe) && <NotSaved />}
      <OnDevice {...here} done="Declared" />
      {views}
      {draft.ready && (
        <>
          <div className={classes.fields}>
            <Days value={form.date} onChange={(date) => set((now) => ({ ...now, date }))} />
          </div>
          <div className={classes.pieces}>
            {DENOMINATIONS.map((piece) => {
              const typed = form.pieces[piece] ?? '';
              return (
                <Piece
                  key={piece}
                  piece={piece}
                  typed={typed}
                  onChange={(value) =>
                    set((now) => ({ ...now, pieces: { ...now.pieces, [piece]: value } }))
                  }
                />
              );
            })}
          </div>
          <p className={classes.sum}>
            <span>Cash</span>
            <span>{money(sumOf(form.pieces))}</span>
          </p>
          <div className={classes.fields}>
            {OTHERS.map(({ kind, label }) => (
              <TextInput
                key={kind}
                size="lg"
                label={label}
                {...numberField('money')}
                enterKeyHint="next"
                data-counted
                onKeyDown={next}
                value={form.tenders[kind] ?? ''}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  set((now) => ({ ...now, tenders: { ...now.tenders, [kind]: value } }));
                }}
              />
            ))}
            <TextInput
              size="lg"
              label="Note"
              maxLength={500}
              value={form.notes}
              onChange={(event) => {
                const { value } = event.currentTarget;
                set((now) => ({ ...now, notes: value }));
              }}
            />
          </div>
          <PhotoField
            ids={form.photos}
            onChange={(photos) => set((now) => ({ ...now, photos: photos(now.photos) }))}
          />
        </>
      )}
    </Screen>
  );
}

function Piece(props: { piece: number; typed: string; onChange(value: string): void }) {
  const { piece, typed, onChange } = props;
  const id = `pieces-${piece}`;
  return (
    <>
      <label htmlFor={id}>{pieceName(piece)}</label>
      <TextInput
        id={id}
        size="lg"
        {...numberField('whole')}
        enterKeyHint="next"
        data-counted
        onKeyDown={next}
        error={piecesFault(typed)}
        value={typed}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <output htmlFor={id}>{amount(piecesOf(typed) * piece)}</output>
    </>
  );
}

function Deposit({ storeId, views }: Props) {
  const here = useOnDevice('deposit', storeId);
  const draft = useDraft(placeOf({ kind: 'deposit', storeId, subject: null }).draft, () =>
    emptyDeposit(today()),
  );
  const { value: form, set } = draft;
  const { said, busy, unsaved, finish } = useFinish(form, depositFault, draft.clear);
  const text = (name: 'bank' | 'reference' | 'amount') => ({
    size: 'lg' as const,
    value: form[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      set((now) => ({ ...now, [name]: value }));
    },
  });
  return (
    <Screen
      title="Deposit slip"
      dock={
        <div>
          {said && (
            <p className={screen.dockFault} role="alert">
              {said}
            </p>
          )}
          <Button
            fullWidth
            loading={busy}
            onClick={() => void finish((who) => depositRecord(form, { ...who, storeId }))}
          >
            Save deposit
          </Button>
        </div>
      }
    >
      {(unsaved || !draft.safe) && <NotSaved />}
      <OnDevice {...here} done="Saved" />
      {views}
      {draft.ready && (
        <>
          <div className={classes.fields}>
            <Days value={form.date} onChange={(date) => set((now) => ({ ...now, date }))} />
            <DateField
              size="lg"
              label="Paid in on"
              max={today()}
              value={form.depositedOn}
              onChange={(depositedOn) => set((now) => ({ ...now, depositedOn }))}
            />
            <TextInput label="Amount" {...numberField('money')} {...text('amount')} />
            <TextInput label="Bank" maxLength={100} {...text('bank')} />
            <TextInput label="Slip number" maxLength={100} {...text('reference')} />
            <Checkbox
              size="md"
              label="Another deposit of the same amount that day"
              checked={form.another ?? false}
              onChange={(event) => {
                const { checked } = event.currentTarget;
                set((now) => ({ ...now, another: checked }));
              }}
            />
          </div>
          <PhotoField
            ids={form.photos}
            onChange={(photos) => set((now) => ({ ...now, photos: photos(now.photos) }))}
          />
        </>
      )}
    </Screen>
  );
}
