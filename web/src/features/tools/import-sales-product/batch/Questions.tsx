import { useEffect, useId, useRef } from 'react';
import { count, money, plural, pluralQty, shortDay, signedMoney, signedQty } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { useLostFocus } from '#/ui/useLostFocus';
import { chosenOf, type Difference, differenceOf, nextOpen, openAsks } from '../questions';
import type { Answers, Ask, Choice } from '../types';
import { ChoiceCards, type Fact } from './ChoiceCards';
import classes from './Questions.module.css';

interface Props {
  asks: readonly Ask[];
  answers: Answers;
  /** Whether the sums are those of the first rows only. */
  partial?: boolean;
  readOnly?: boolean;
  /** A higher number moves to the first open question. */
  attention?: number;
  onAnswer(ask: Ask, choice: Choice): void;
  /** Called for Enter once no question is open. */
  onContinue(): void;
}

/** The card of a question that the Tab key reaches. */
const CURRENT = '[role=radio][tabindex="0"]';

/** The file's questions, one below another, with the file's sums for every choice. */
export function Questions(props: Props) {
  const { asks, answers, partial, readOnly, attention = 0, onAnswer, onContinue } = props;
  const prefix = useId();
  const sections = useRef(new Map<string, HTMLElement>());
  const list = useRef<HTMLDivElement>(null);
  const first = openAsks(asks, answers)[0]?.id;
  const moved = useRef(attention);

  function moveTo(id: string) {
    const section = sections.current.get(id);
    section?.scrollIntoView({ block: 'center' });
    section?.querySelector<HTMLElement>(CURRENT)?.focus({ preventScroll: true });
  }

  useEffect(() => {
    // The questions of a refusal may come a moment after it.
    if (attention === moved.current || !first) return;
    moved.current = attention;
    moveTo(first);
  });

  useLostFocus(list, (all) => all.querySelector<HTMLElement>(`[data-open] ${CURRENT}`));

  if (asks.length === 0) return null;
  const goOn = (from: Ask) => {
    const next = nextOpen(asks, answers, from.id);
    if (next) moveTo(next);
    else if (openAsks(asks, answers).length === 0) onContinue();
  };

  return (
    <Panel
      title={`${plural(asks.length, 'question')} about this file`}
      aside={
        !readOnly && (
          <span className={classes.keys}>Number keys choose, Enter goes to the next question</span>
        )
      }
    >
      <div ref={list} className={classes.asks}>
        {asks.map((ask) => {
          const chosen = chosenOf(ask, answers);
          const label = `${prefix}-${ask.id}`;
          return (
            <div
              key={ask.id}
              ref={(node) => {
                if (node) sections.current.set(ask.id, node);
                else sections.current.delete(ask.id);
              }}
              className={classes.ask}
              data-open={!chosen || undefined}
            >
              <p id={label} className={classes.about}>
                {ask.about}
              </p>
              <ChoiceCards
                labelledBy={label}
                cards={ask.choices.map((choice) => ({
                  id: choice.id,
                  label: choice.label,
                  facts: factsOf(choice, differenceOf(ask, choice, answers)),
                }))}
                chosen={chosen?.id ?? null}
                suggested={ask.choices[0]?.id}
                readOnly={readOnly}
                onChoose={(id) => {
                  const choice = ask.choices.find((one) => one.id === id);
                  if (choice) onAnswer(ask, choice);
                }}
                onEnter={() => goOn(ask)}
              />
              {!!ask.rows && !ask.about.includes(count(ask.rows)) && (
                <p className={classes.note}>It concerns {plural(ask.rows, 'row')}.</p>
              )}
            </div>
          );
        })}
      </div>
      {partial && <p className={classes.note}>Sums of the first rows: the file is long.</p>}
    </Panel>
  );
}

/** A choice that moves sales from one day to another changes no sum of the file, so that its days are shown instead. */
function factsOf(choice: Choice, difference: Difference | null): Fact[] {
  const { lines, qty, net, days = [] } = choice;
  if (days.length > 0) return days.map((day) => ({ text: dayLine(day) }));
  const by = difference ?? { lines: 0, qty: 0, net: 0 };
  return [
    { text: plural(lines, 'line'), difference: by.lines !== 0 && signedQty(by.lines) },
    { text: pluralQty(qty, 'piece'), difference: by.qty !== 0 && signedQty(by.qty) },
    { text: `${money(net)} net`, difference: by.net !== 0 && signedMoney(by.net) },
  ];
}

/** `14 Nov ₱1,400.00 (9 pieces)`, after the store's name if there are several. */
function dayLine({ store, day, qty, net }: NonNullable<Choice['days']>[number]): string {
  const sums = `${shortDay(day)} ${money(net)} (${pluralQty(qty, 'piece')})`;
  return store ? `${store}, ${sums}` : sums;
}
