import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FocusEvent, useEffect, useMemo, useState } from 'react';
import { scannedLine } from '#/api/barcodes';
import { useComesWhole } from '#/api/names';
import { Problem } from '#/api/problem';
import { useUnreachable } from '#/api/reachability';
import { useCan } from '#/api/session';
import documentClasses from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { DraftProblem } from '#/documents/DraftProblem';
import { StateBar } from '#/documents/StateBar';
import { type StockTake, stockTakeDef } from '#/documents/stockTakes';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid, useStamp } from '#/grid/EntryGrid';
import { useBarcodes } from '#/offline/barcodes';
import { useOnline } from '#/offline/hooks';
import { pages } from '#/paths';
import { day, money, plural, qty } from '#/ui/format';
import { unknownCode } from '#/ui/unknownCode';
import { useScanner } from '#/ui/useScanner';
import { outbox } from '../takeQueue';
import { AddLine } from './AddLine';
import { BelowZero, BelowZeroNote } from './BelowZero';
import { columnsOf } from './columns';
import { Paper } from './Paper';
import { RestAsZero } from './RestAsZero';
import classes from './Sheet.module.css';
import {
  belowZeroOf,
  countedOf,
  differencesOf,
  NO_AREA,
  postText,
  rowName,
  type SheetRow,
} from './sheet';
import { named, useDifferences, useKeptPlace, useSheet } from './useTake';

export const back = { to: pages.commissaryStockTakes.path, label: 'Stock-takes' };

/** What was typed is saved after this pause, except in the cell that is being typed in. */
const SAVE_AFTER_MS = 1_500;

interface Props {
  take: StockTake;
  refetch(): Promise<StockTake | null>;
}

/** A stock-take: counted, compared with the ledger, posted. */
export function TakeView({ take, refetch }: Props) {
  const place = useKeptPlace(take);
  const whole = useComesWhole();
  const mayEdit = useCan(stockTakeDef.page, 'edit');
  const mayPost = useCan(stockTakeDef.page, 'post');
  const counting = take.status === 'counting' && mayEdit;
  const open = take.status === 'draft' || take.status === 'counting';
  const sheet = useSheet(take);
  const { rows, model } = sheet;
  const stamp = useStamp(model);
  const [review, setReview] = useState(false);
  const shown = take.status !== 'cancelled' && (!open || !take.blind || (review && mayPost));
  const answer = useDifferences(take, shown);
  const differences = useMemo(
    () => (shown && answer.data ? differencesOf(rows, answer.data) : null),
    [shown, rows, answer.data],
  );
  const worth = answer.data?.worth ?? null;
  const below = take.status === 'reversed' ? [] : belowZeroOf(rows, differences);
  const columns = useMemo(
    () => columnsOf({ counting, differences, worth, whole }),
    [counting, differences, worth, whole],
  );
  const unreachable = useUnreachable();
  const away = !useOnline() || unreachable;
  const [adding, setAdding] = useState(false);
  const [zeroing, setZeroing] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const counted = countedOf(rows);
  const barcodes = useBarcodes();
  const [goTo, setGoTo] = useState<{ row: string; column: string } | null>(null);
  const scan = (code: string) => {
    const row = scannedLine(rows, code, barcodes);
    if (row) setGoTo({ row: row.key, column: 'counted' });
    else unknownCode(code, { label: 'Find and add it', open: () => setAdding(true) });
  };
  useScanner(counting ? scan : null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change
  useEffect(() => {
    if (!model.dirty) return;
    const timer = setTimeout(() => void sheet.commit(focusedRow(rows)), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [stamp]);

  /** Everything typed on this device is at the server before it is posted. */
  async function beforePost(): Promise<StockTake | null> {
    setProblem(null);
    await sheet.commit();
    await outbox.flush();
    if (model.dirty || (await outbox.holds(({ takeId }) => takeId === take.id))) {
      const detail = model.dirty
        ? 'Some numbers are not valid. Correct them first.'
        : 'Some numbers wait on this device. Post when they are sent.';
      setProblem(new Problem(409, 'waiting', detail));
      return null;
    }
    return refetch();
  }

  const onBlur = (event: FocusEvent<HTMLDivElement>) => {
    const { row } = (event.relatedTarget as HTMLElement | null)?.dataset ?? {};
    const next = row === undefined ? undefined : rows[Number(row)]?.key;
    void sheet.commit(next);
  };

  return (
    <DocumentFrame
      def={stockTakeDef}
      document={take}
      back={back}
      signatures={['Counted by', 'Checked by']}
      facts={[
        ['Place', place],
        ['Area', take.area ?? 'All'],
        ['Counted on', day(take.businessDate)],
        ['Blind', take.blind ? 'Yes' : null],
        ['Difference', open || take.amount === null ? null : money(take.amount)],
        ['Reason', take.reason],
        ['Notes', take.notes],
      ]}
      actions={
        <StateBar
          def={stockTakeDef}
          document={take}
          hidden={shown && !away ? [] : ['post']}
          notes={{
            post: (
              <>
                <p>{postText(rows, differences, worth)}</p>
                <BelowZeroNote below={below} />
              </>
            ),
          }}
          before={(step) => (step === 'post' ? beforePost() : Promise.resolve(take))}
          onRefused={setProblem}
          overrides={{
            notEnough:
              'It can be reversed all the same. Say why; the stock goes below zero until it is counted again.',
          }}
          actions={
            counting &&
            mayPost &&
            take.blind &&
            !review && <Button onClick={() => setReview(true)}>Review differences</Button>
          }
        />
      }
      notices={
        <>
          {problem && <DraftProblem problem={problem} />}
          {away && counting && mayPost && (
            <div className={documentClasses.notice} role="status">
              <p>Differences can be posted once the connection is back.</p>
            </div>
          )}
          <Refused refused={sheet.refused} />
          <BelowZero
            below={below}
            posted={!open}
            onZero={
              counting ? (row) => void sheet.count([{ ...named(row), counted: 0 }]) : undefined
            }
          />
        </>
      }
    >
      {counting && (
        <div className={`${classes.bar} no-print`}>
          <Status sheet={sheet} counted={counted} />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            Lot, product or unit
          </Button>
          {counted < rows.length && (
            <Button size="xs" variant="default" onClick={() => setZeroing(true)}>
              Count the rest as zero
            </Button>
          )}
        </div>
      )}
      <div
        role="group"
        aria-label="Sheet"
        className={`${classes.sheet} ${open ? 'no-print' : ''}`}
        onBlur={onBlur}
        // Enter in the last row leaves the focus where it is.
        onKeyDown={({ key }) => key === 'Enter' && void sheet.commit()}
      >
        <EntryGrid
          label="Count sheet"
          rows={rows}
          rowId={({ key }) => key}
          rowName={(row) => rowName(row)}
          columns={columns}
          model={model}
          goTo={goTo}
          groupOf={({ area }) => ({ id: area, label: area || NO_AREA })}
          onSave={counting ? () => void sheet.commit() : undefined}
          empty="Nothing is in stock here. Add what you find once counting started."
        />
      </div>
      {open && <Paper rows={rows} />}
      {adding && (
        <AddLine
          counting
          rows={rows}
          onAdd={(line) => void sheet.count([line])}
          onClose={() => setAdding(false)}
        />
      )}
      {zeroing && (
        <RestAsZero
          rows={rows}
          onConfirm={(chosen) =>
            void sheet.count(chosen.map((row) => ({ ...named(row), counted: 0 })))
          }
          onClose={() => setZeroing(false)}
        />
      )}
      <LeaveGuard dirty={model.dirty} what={`stock-take ${take.takeNo}`} />
    </DocumentFrame>
  );
}

/** The row that is being typed in. */
function focusedRow(rows: readonly SheetRow[]): string | undefined {
  const { row } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
  return row === undefined ? undefined : rows[Number(row)]?.key;
}

type Sheet = ReturnType<typeof useSheet>;

/** How much is counted, and whether it is safe. */
function Status({ sheet, counted }: { sheet: Sheet; counted: number }) {
  const { rows, waiting, unsaved, stopped } = sheet;
  const progress = `${counted} of ${rows.length} counted`;
  if (unsaved) {
    return (
      <span className={classes.status} role="alert" data-tone="danger">
        {progress}. NOT saved on this device: keep this page open.
      </span>
    );
  }
  const kept =
    waiting > 0
      ? `. ${plural(waiting, 'number')} saved on this device, ${stopped ? 'waiting to send' : 'being sent'}`
      : '';
  return (
    <span className={classes.status} role="status">
      {progress}
      {kept}
    </span>
  );
}

/** Numbers that the server did not take; they stay on the device until someone decides. */
function Refused({ refused }: { refused: Sheet['refused'] }) {
  if (refused.length === 0) return null;
  return (
    <div className={documentClasses.notice} data-tone="danger" role="alert">
      <p>{plural(refused.length, 'number was', 'numbers were')} not taken.</p>
      <ul className={classes.refused}>
        {refused.map(({ id, reason, record }) => {
          const [entry] = record?.entries ?? [];
          return (
            <li key={id}>
              <span>
                {entry?.name} {entry?.lot}: {qty(entry?.counted ?? null)} {entry?.uomCode}. {reason}
              </span>
              <Button size="xs" variant="default" onClick={() => void outbox.recheck(id)}>
                Send again
              </Button>
              <Button size="xs" variant="default" onClick={() => void outbox.discard(id)}>
                Discard
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
