import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { Photos } from '#/documents/Photos';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DrawerBody } from '#/ui/DrawerViews';
import { ErrorBox } from '#/ui/ErrorBox';
import { count, day, moment, money, plural } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import {
  type Declaration,
  type Deposit,
  kindName,
  type Sources,
  type TenderRow,
  useSources,
  type Voided,
  voidEntry,
} from './api';
import { figuresOf, missingLabel, togetherLabel, toneOf } from './columns';
import { DeclarationDrawer } from './DeclarationDrawer';
import { DepositDrawer } from './DepositDrawer';
import classes from './Tender.module.css';

interface Props {
  row: TenderRow | null;
  onClose(): void;
}

/** Settled lines shown at once. */
const AT_ONCE = 500;

type Editing =
  | { what: 'declaration'; record: Declaration | null }
  | { what: 'deposit'; record: Deposit | null };

/** The documents behind a row, with links to add or correct one. */
export function SourcesDrawer({ row, onClose }: Props) {
  const at = row && { storeId: row.storeId, date: row.date, kind: row.kind };
  const [more, setMore] = useState({ of: '', limit: AT_ONCE });
  const of = row ? `${row.storeId} ${row.date} ${row.kind}` : '';
  const limit = more.of === of ? more.limit : AT_ONCE;
  const { data, error } = useSources(at, limit);
  const [editing, setEditing] = useState<Editing | null>(null);
  const title = row ? `${row.storeName}, ${day(row.date)}, ${kindName(row.kind)}` : '';
  if (row && editing) {
    const close = () => setEditing(null);
    return editing.what === 'deposit' ? (
      <DepositDrawer row={row} record={editing.record} onClose={close} />
    ) : (
      <DeclarationDrawer row={row} record={editing.record} onClose={close} />
    );
  }
  return (
    <DrawerFrame opened={row !== null} title={title} size={600} onClose={onClose}>
      <DrawerBody>
        {row && data ? (
          <Parts
            row={row}
            data={data}
            edit={setEditing}
            more={() => setMore({ of, limit: limit + AT_ONCE })}
          />
        ) : error ? (
          <ErrorBox>{Problem.of(error).message}</ErrorBox>
        ) : (
          <output>Loading…</output>
        )}
      </DrawerBody>
    </DrawerFrame>
  );
}

interface PartsProps {
  row: TenderRow;
  data: Sources;
  edit(editing: Editing): void;
  /** Shows more settled lines. */
  more(): void;
}

function Parts({ row, data, edit, more }: PartsProps) {
  const mayEdit = useCan('sales/tenderReport', 'edit');
  const [voiding, setVoiding] = useState<Voided | null>(null);
  const voids = (kind: Voided['kind'], { id, revision }: Pick<Voided, 'id' | 'revision'>) =>
    setVoiding({ kind, id, revision });
  const cash = row.kind === 'cash';
  const missing = missingLabel(row);
  const together = togetherLabel(row);
  const declared = (one: Declaration) =>
    cash ? one.cash : (one.tenders.find(({ kind }) => kind === row.kind)?.amount ?? null);
  const declarations = data.declarations.filter((one) => declared(one) !== null);
  // A new declaration would replace it with all its tenders, even from the row of one tender.
  const said = data.declarations.find((one) => one.voidReason == null && one.terminalId === '');
  return (
    <>
      {missing && <p className={classes.section}>{missing}</p>}
      <section className={classes.section}>
        <h3>Compared</h3>
        {together && <p>{together}</p>}
        <table className={classes.lines}>
          <tbody>
            {row.pairs.map((pair) => (
              <tr key={pair.kind}>
                <td>{figuresOf(pair)}</td>
                <td className={classes.num}>
                  <StatusPill tone={toneOf(pair.state)}>{pair.words}</StatusPill>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section className={classes.section}>
        <h3>POS {money(row.pos)}</h3>
        {data.pos.length === 0 && <p>Imported sales do not say how this day was paid.</p>}
        <table className={classes.lines}>
          <tbody>
            {data.pos.map((one) => (
              <tr key={`${one.source} ${one.label}`}>
                <td>{one.label || 'No name'}</td>
                <td>
                  {plural(one.payments, 'payment')} from {one.source}
                  {!one.counted && ', the same sales once more: not counted'}
                </td>
                <td className={classes.num}>{money(one.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section className={classes.section}>
        <h3>Z-reading {money(row.z)}</h3>
        {data.readings.length === 0 && <p>No verified Z-reading of this day has it.</p>}
        {data.tills.reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
        <table className={classes.lines}>
          <tbody>
            {data.readings.map((one) => (
              <tr key={`${one.id} ${one.label}`}>
                <td>Till {one.terminalId}</td>
                <td>
                  Z {one.zCounter}, {one.label}
                </td>
                <td className={classes.num}>{money(one.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section className={classes.section}>
        <h3>Declared {money(row.declared)}</h3>
        <table className={classes.lines}>
          <tbody>
            {declarations.map((one) => (
              <tr key={one.id} data-void={one.voidReason != null || undefined}>
                <td>
                  {one.createdBy.name}, {moment(one.countedAt)}
                  {one.voidReason == null && one.revision > 1 && (
                    <>
                      <br />
                      Corrected by {one.updatedBy.name}, {moment(one.updatedAt)}
                    </>
                  )}
                  {one.voidReason && `. Counts for nothing: ${one.voidReason}`}
                  <Photos storeId={one.storeId} ids={one.photos} />
                </td>
                <td className={classes.num}>{money(declared(one))}</td>
                <td className={classes.num}>
                  {mayEdit && one.voidReason == null && (
                    <EntryButtons
                      onCorrect={() => edit({ what: 'declaration', record: one })}
                      onVoid={() => voids('declarations', one)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {mayEdit && !(said && declarations.includes(said)) && (
          <Button
            mt={8}
            size="xs"
            variant="default"
            onClick={() => edit({ what: 'declaration', record: said ?? null })}
          >
            {said ? 'Correct the declaration' : 'Add a declaration'}
          </Button>
        )}
      </section>
      {cash && (
        <section className={classes.section}>
          <h3>Deposited {money(row.deposited)}</h3>
          <table className={classes.lines}>
            <tbody>
              {data.deposits.map((one) => (
                <tr key={one.id} data-void={one.voidReason != null || undefined}>
                  <td>
                    {day(one.depositedOn)}, {one.bank} {one.reference}
                    {one.days.length > 1 && `, with ${one.days.length - 1} other days`}
                    {one.voidReason && `. Counts for nothing: ${one.voidReason}`}
                    <Photos storeId={one.storeId} ids={one.photos} />
                  </td>
                  <td className={classes.num}>
                    {money(one.days.find(({ businessDate }) => businessDate === row.date)?.amount)}
                  </td>
                  <td className={classes.num}>
                    {mayEdit && one.voidReason == null && (
                      <EntryButtons
                        onCorrect={() => edit({ what: 'deposit', record: one })}
                        onVoid={() => voids('deposits', one)}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {mayEdit && (
            <Button mt={8} size="xs" onClick={() => edit({ what: 'deposit', record: null })}>
              Enter a deposit
            </Button>
          )}
        </section>
      )}
      {!cash && (
        <section className={classes.section}>
          <h3>
            Settled {money(row.settled)}, fee {money(row.fee)}
          </h3>
          {row.expectedFee != null && (
            <p>By the tender type the fee is {money(row.expectedFee)}.</p>
          )}
          <table className={classes.lines}>
            <tbody>
              {data.settlements.map((one) => (
                <tr key={`${one.settlementId} ${one.line}`}>
                  <td>
                    {one.fileName}, line {one.line}
                    {one.label && `, ${one.label}`}
                  </td>
                  <td className={classes.num}>{money(one.gross)}</td>
                  <td className={classes.num}>−{money(one.fee)}</td>
                  <td className={classes.num}>{money(one.net)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {data.settlementTotal > data.settlements.length && (
            <Button mt={8} size="xs" variant="default" onClick={more}>
              Show more of {count(data.settlementTotal)}
            </Button>
          )}
        </section>
      )}
      {voiding && <VoidDialog entry={voiding} onClose={() => setVoiding(null)} />}
    </>
  );
}

interface EntryButtonsProps {
  onCorrect(): void;
  onVoid(): void;
}

function EntryButtons({ onCorrect, onVoid }: EntryButtonsProps) {
  return (
    <Button.Group>
      <Button size="compact-xs" variant="default" onClick={onCorrect}>
        Correct
      </Button>
      <Button size="compact-xs" variant="default" onClick={onVoid}>
        Void
      </Button>
    </Button.Group>
  );
}

function VoidDialog(props: { entry: Voided; onClose(): void }) {
  const [reason, setReason] = useState('');
  const saving = useSave();
  const go = () =>
    void saving.run(() => voidEntry(props.entry, reason), {
      said: 'It counts for nothing now',
      onSaved: props.onClose,
    });
  return (
    <Dialog
      opened
      title="Void this entry"
      confirm="Void entry"
      keep="Keep entry"
      danger
      busy={saving.busy}
      onConfirm={go}
      onClose={props.onClose}
    >
      <p>It stays visible and counts for nothing.</p>
      <TextInput
        label="Why"
        value={reason}
        error={saving.problem?.message}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  );
}
