import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Photos } from '#/documents/Photos';
import { DrawerForm } from '#/form/DrawerForm';
import { SaveButtons } from '#/form/SaveButtons';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { DateField } from '#/ui/DateField';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { addDays, isDay, today } from '#/ui/dates';
import { day, money } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { faultOf, numberOf, showNumber } from '#/ui/numberInput';
import { type Deposit, saveDeposit, type TenderRow } from './api';
import { useFarBack } from './FarBack';
import classes from './Tender.module.css';

interface Props {
  row: TenderRow;
  record: Deposit | null;
  onClose(): void;
}

interface Part {
  date: string;
  amount: string;
}

const headOf = (record: Deposit | null) => ({
  depositedOn: record?.depositedOn ?? today(),
  bank: record?.bank ?? '',
  reference: record?.reference ?? '',
  notes: record?.notes ?? '',
});

const partsOf = ({ days }: Deposit): Part[] =>
  days.map(({ businessDate, amount }) => ({
    date: businessDate,
    amount: showNumber(amount, 'money'),
  }));

const partLabel = (parts: readonly Part[]) =>
  parts.map(({ date, amount }) => `${amount} of ${isDay(date) ? day(date) : '–'}`);

const LABELS = {
  depositedOn: 'Paid in on',
  bank: 'Bank',
  reference: 'Slip number',
  days: 'Of which days',
  photos: 'Photos',
  notes: 'Note',
};

/** A bank deposit of the cash of one or more days. */
export function DepositDrawer({ row, record, onClose }: Props) {
  const [head, setHead] = useState(() => headOf(record));
  const [photos, setPhotos] = useState<string[]>([...(record?.photos ?? [])]);
  const [days, setDays] = useState<Part[]>(() =>
    record ? partsOf(record) : [{ date: row.date, amount: showNumber(row.missing, 'money') }],
  );
  const saving = useSave<Deposit>({ revision: record?.revision });
  const { problem, errorOf: error } = saving;
  const far = useFarBack(problem);
  const alike = problem?.code === 'duplicateDeposit';
  /** An edited deposit is no longer a possible duplicate. */
  function forgetQuestion(): void {
    if (alike || problem?.code === 'slipTaken') saving.setProblem(null);
  }
  function set(by: Partial<typeof head>): void {
    setHead((now) => ({ ...now, ...by }));
    forgetQuestion();
  }
  function setParts(next: (now: Part[]) => Part[]): void {
    setDays(next);
    forgetQuestion();
  }
  const part = (at: number, by: Partial<Part>) =>
    setParts((now) => now.map((one, i) => (i === at ? { ...one, ...by } : one)));
  const sum = days.reduce(
    (all, { amount }) => all + Math.round((numberOf(amount, 'money') ?? 0) * 100),
    0,
  );

  const amountFault = (typed: string) => (typed.trim() === '' ? null : faultOf(typed, 'money'));

  async function save(): Promise<void> {
    if (days.some(({ amount }) => amountFault(amount))) return;
    const json = {
      ...head,
      storeId: row.storeId,
      photos,
      days: days.map(({ date, amount }) => ({
        businessDate: date,
        amount: numberOf(amount, 'money') ?? 0,
      })),
      acceptDuplicate: alike,
      ...far.body,
    };
    await saving.run((revision) => saveDeposit(record?.id, { ...json, revision }), {
      said: 'Deposit saved',
      onSaved: onClose,
    });
  }

  return (
    <DrawerFrame opened title={`Deposit, ${row.storeName}`} size={480} onClose={onClose}>
      <DrawerForm
        shortcut
        onSubmit={() => void save()}
        buttons={
          <SaveButtons busy={saving.busy} onCancel={onClose}>
            {alike ? 'Save as another deposit' : 'Save deposit'}
          </SaveButtons>
        }
      >
        <div className={classes.form}>
          <SaveProblem
            save={saving}
            versions={(theirs) =>
              compare(
                LABELS,
                { ...head, photos: photos.length, days: partLabel(days) },
                {
                  ...headOf(theirs),
                  photos: theirs.photos.length,
                  days: partLabel(partsOf(theirs)),
                },
              )
            }
            onTheirs={(theirs) => {
              setHead(headOf(theirs));
              setDays(partsOf(theirs));
              setPhotos([...theirs.photos]);
              saving.setProblem(null);
            }}
          />
          <div className={classes.pair}>
            <DateField
              label="Paid in on"
              value={head.depositedOn}
              max={today()}
              error={error('depositedOn')}
              onChange={(date) => set({ depositedOn: date })}
            />
            <TextInput
              label="Bank"
              value={head.bank}
              error={error('bank')}
              data-autofocus
              onChange={(event) => set({ bank: event.currentTarget.value })}
            />
          </div>
          <TextInput
            label="Slip number"
            value={head.reference}
            error={error('reference')}
            onChange={(event) => set({ reference: event.currentTarget.value })}
          />
          {days.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id
            <div key={at} className={classes.pair}>
              <DateField
                label="Cash of"
                value={one.date}
                error={error(`days.${at}.businessDate`)}
                onChange={(date) => part(at, { date })}
              />
              <TextInput
                label="Amount"
                {...numberField('money')}
                value={one.amount}
                error={amountFault(one.amount) ?? error(`days.${at}.amount`)}
                onChange={(event) => part(at, { amount: event.currentTarget.value })}
                rightSection={
                  days.length > 1 && (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove ${day(one.date)}`}
                      onClick={() => setParts((now) => now.filter((_, i) => i !== at))}
                    >
                      <IconX size={15} aria-hidden />
                    </ActionIcon>
                  )
                }
              />
            </div>
          ))}
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              setParts((now) => {
                const last = now.at(-1)?.date;
                return [...now, { date: addDays(isDay(last) ? last : row.date, 1), amount: '' }];
              })
            }
          >
            Another day's cash on the same slip
          </Button>
          <p className={classes.sum}>
            <span>Paid in</span>
            <span>{money(sum / 100)}</span>
          </p>
          <TextInput
            label="Note"
            maxLength={500}
            value={head.notes}
            onChange={(event) => {
              const notes = event.currentTarget.value;
              setHead((now) => ({ ...now, notes }));
            }}
          />
          {far.field}
          <Photos storeId={row.storeId} ids={photos} onChange={setPhotos} />
        </div>
      </DrawerForm>
    </DrawerFrame>
  );
}
