import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import {
  DENOMINATIONS,
  pieceName,
  piecesFault,
  piecesOf,
  sumOf,
  WHOLE_PIECES,
} from '#/documents/cash';
import { DrawerForm } from '#/form/DrawerForm';
import { SaveButtons } from '#/form/SaveButtons';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { ErrorBox } from '#/ui/ErrorBox';
import { amount, day, money } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { faultOf, numberOf, showNumber } from '#/ui/numberInput';
import { type Declaration, KINDS, saveDeclaration, type TenderRow } from './api';
import { useFarBack } from './FarBack';
import classes from './Tender.module.css';

interface Props {
  row: TenderRow;
  record: Declaration | null;
  onClose(): void;
}

const amountFault = (typed: string) => (typed.trim() === '' ? null : faultOf(typed, 'money'));

const piecesIn = (record: Declaration | null): Record<string, string> =>
  Object.fromEntries(
    (record?.pieces ?? []).map((one) => [one.denomination, showNumber(one.pieces, 'whole')]),
  );

const tendersIn = (record: Declaration | null): Record<string, string> =>
  Object.fromEntries(
    (record?.tenders ?? []).map((one) => [one.kind, showNumber(one.amount, 'money')]),
  );

const LABELS: Record<string, string> = {
  ...Object.fromEntries(DENOMINATIONS.map((piece) => [piece, `Pieces of ${pieceName(piece)}`])),
  ...Object.fromEntries(KINDS.slice(1).map(({ value, label }) => [value, label])),
  notes: 'Note',
};

/** A drawer count, as declared by the store or corrected. */
export function DeclarationDrawer({ row, record, onClose }: Props) {
  const [pieces, setPieces] = useState(() => piecesIn(record));
  const [tenders, setTenders] = useState(() => tendersIn(record));
  const [notes, setNotes] = useState(record?.notes ?? '');
  const [said, setSaid] = useState<string | null>(null);
  const saving = useSave<Declaration>({ revision: record?.revision });
  const form = useRef<HTMLDivElement>(null);
  const far = useFarBack(saving.problem);

  const badPieces = DENOMINATIONS.some((piece) => piecesFault(pieces[piece] ?? ''));
  const badTenders = Object.values(tenders).some((typed) => amountFault(typed));

  async function save(): Promise<void> {
    setSaid(badPieces ? WHOLE_PIECES : null);
    if (badPieces || badTenders) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    const json = {
      storeId: row.storeId,
      businessDate: row.date,
      terminalId: record?.terminalId ?? '',
      pieces: DENOMINATIONS.filter((piece) => (pieces[piece] ?? '').trim() !== '').map((piece) => ({
        denomination: piece,
        pieces: piecesOf(pieces[piece] ?? ''),
      })),
      tenders: Object.entries(tenders)
        .filter(([, value]) => value.trim() !== '')
        .map(([kind, value]) => ({ kind, amount: numberOf(value, 'money') ?? 0 })),
      notes,
      photos: record?.photos ?? [],
      ...far.body,
    };
    await saving.run((revision) => saveDeclaration(record?.id, { ...json, revision }), {
      said: 'Declaration saved',
      onSaved: onClose,
    });
  }

  return (
    <DrawerFrame
      opened
      title={`Cash declared, ${row.storeName}, ${day(row.date)}`}
      size={460}
      onClose={onClose}
    >
      <DrawerForm
        shortcut
        onSubmit={() => void save()}
        buttons={
          <SaveButtons busy={saving.busy} onCancel={onClose}>
            Save declaration
          </SaveButtons>
        }
      >
        <div ref={form} className={classes.form}>
          {said && <ErrorBox>{said}</ErrorBox>}
          <SaveProblem
            save={saving}
            of="all"
            versions={(theirs) =>
              compare(
                LABELS,
                { ...pieces, ...tenders, notes },
                { ...piecesIn(theirs), ...tendersIn(theirs), notes: theirs.notes },
              )
            }
            onTheirs={(theirs) => {
              setPieces(piecesIn(theirs));
              setTenders(tendersIn(theirs));
              setNotes(theirs.notes ?? '');
              saving.setProblem(null);
            }}
          />
          <div className={classes.pieces}>
            {DENOMINATIONS.map((piece) => (
              <Pieces
                key={piece}
                piece={piece}
                value={pieces[piece] ?? ''}
                onChange={(value) => setPieces((now) => ({ ...now, [piece]: value }))}
              />
            ))}
          </div>
          <p className={classes.sum}>
            <span>Cash</span>
            <span>{money(sumOf(pieces))}</span>
          </p>
          <div className={classes.pair}>
            {KINDS.slice(1).map(({ value, label }) => (
              <TextInput
                key={value}
                label={label}
                {...numberField('money')}
                value={tenders[value] ?? ''}
                error={amountFault(tenders[value] ?? '')}
                onChange={(event) => {
                  const typed = event.currentTarget.value;
                  setTenders((now) => ({ ...now, [value]: typed }));
                }}
              />
            ))}
          </div>
          <TextInput
            label="Note"
            maxLength={500}
            value={notes}
            onChange={(event) => setNotes(event.currentTarget.value)}
          />
          {far.field}
        </div>
      </DrawerForm>
    </DrawerFrame>
  );
}

function Pieces(props: { piece: number; value: string; onChange(value: string): void }) {
  const { piece, value, onChange } = props;
  return (
    <>
      <span>{pieceName(piece)}</span>
      <TextInput
        size="xs"
        aria-label={`Pieces of ${pieceName(piece)}`}
        {...numberField('whole')}
        error={piecesFault(value)}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <output>{amount(piecesOf(value) * piece)}</output>
    </>
  );
}
