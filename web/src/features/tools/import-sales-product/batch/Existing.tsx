import { useId, useState } from 'react';
import { Dialog } from '#/ui/Dialog';
import { count, DOT, day, money, plural, pluralQty, signedMoney, signedQty } from '#/ui/format';
import { choicesOf, type Totals, totalAfter, totalBefore, WORDS } from '../existing';
import { rounded } from '../questions';
import type { ExistingDay, OnExisting, ReceiptSums } from '../types';
import { ChoiceCards } from './ChoiceCards';
import classes from './Existing.module.css';

interface Props {
  days: readonly ExistingDay[];
  /** Number of store-days to decide about; more than are listed. */
  total: number;
  busy: boolean;
  problem?: string;
  onChoose(choice: OnExisting): void;
  onClose(): void;
}

/** Asks what happens to store-days that are already there, with the sums of every choice. */
export function Existing({ days, total, busy, problem, onChoose, onClose }: Props) {
  const [chosen, setChosen] = useState<OnExisting | null>(null);
  const label = useId();
  const choices = choicesOf(days);
  const before = totalBefore(days);
  const more = total - days.length;
  const replaces = chosen !== null && chosen !== 'add';
  return (
    <Dialog
      opened
      title="Already imported; replace?"
      size={960}
      keep="Keep what is there"
      confirm={chosen ? WORDS[chosen].verb : 'Post sales'}
      danger={replaces}
      disabled={!chosen}
      busy={busy}
      onConfirm={() => chosen && onChoose(chosen)}
      onClose={onClose}
    >
      <p id={label}>
        {plural(total, 'store day')} in this file {total === 1 ? 'has' : 'have'} sales already:{' '}
        <strong>{sumsOf(before)}</strong>
        {more > 0 && ` on the first ${count(days.length)}`}. What happens to{' '}
        {total === 1 ? 'it' : 'all of them'}?
      </p>
      <ChoiceCards<OnExisting>
        labelledBy={label}
        cards={choices.map((id) => {
          const after = totalAfter(days, id);
          return {
            id,
            label: WORDS[id].label,
            facts: [
              { text: WORDS[id].text },
              { text: `Afterwards ${sumsOf(after)}`, difference: changeOf(before, after) },
            ],
          };
        })}
        chosen={chosen}
        suggested={choices[0]}
        readOnly={busy}
        focused
        onChoose={setChosen}
        onEnter={() => chosen && !replaces && !busy && onChoose(chosen)}
      />
      {problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <section className={classes.days} aria-label="Store days" tabIndex={0}>
        {days.map((one) => (
          <StoreDay key={`${one.storeId} ${one.day}`} of={one} choices={choices} chosen={chosen} />
        ))}
        {more > 0 && <p className={classes.more}>and {count(more)} more</p>}
      </section>
    </Dialog>
  );
}

interface DayProps {
  of: ExistingDay;
  choices: readonly OnExisting[];
  chosen: OnExisting | null;
}

function StoreDay({ of, choices, chosen }: DayProps) {
  const { there, comes, overlap } = of;
  return (
    <article className={classes.day}>
      <h3>
        {of.storeName}, {day(of.day)}
      </h3>
      <dl className={classes.facts}>
        <div>
          <dt>There</dt>
          <dd>{partOf(there, there.tills, there.files)}</dd>
        </div>
        <div>
          <dt>Comes</dt>
          <dd>{partOf(comes, comes.tills)}</dd>
        </div>
        <div>
          <dt>In both</dt>
          <dd>
            {overlap.receipts || overlap.qty || overlap.net ? partOf(overlap, []) : 'Nothing'}
          </dd>
        </div>
      </dl>
      <dl className={classes.after} aria-label="The day afterwards">
        {choices.map((id) => {
          const after = of.choices.find((choice) => choice.id === id);
          return (
            <div key={id} data-chosen={id === chosen || undefined}>
              <dt>{WORDS[id].label}</dt>
              <dd className="num">{after ? sumsOf(after) : '–'}</dd>
            </div>
          );
        })}
      </dl>
    </article>
  );
}

/** Sums without amounts are quantities of root items. */
const sumsOf = ({ qty, net }: Totals) =>
  net === 0 ? pluralQty(qty, 'piece') : `${money(net)} (${pluralQty(qty, 'piece')})`;

function changeOf(before: Totals, after: Totals): string | false {
  const qty = rounded(after.qty - before.qty, 1e6);
  const net = rounded(after.net - before.net, 100);
  return net !== 0 ? signedMoney(net) : qty !== 0 && signedQty(qty);
}

function partOf(sums: ReceiptSums, tills: readonly string[], files: readonly string[] = []) {
  const parts = [
    files.join(', '),
    tills.length > 0 && `${tills.length === 1 ? 'till' : 'tills'} ${tills.join(', ')}`,
    sums.receipts > 0 && plural(sums.receipts, 'receipt'),
    sumsOf(sums),
  ];
  return parts.filter(Boolean).join(DOT);
}
