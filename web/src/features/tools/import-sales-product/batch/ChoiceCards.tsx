import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import { Kbd } from '#/ui/Kbd';
import { placeOfKey } from '../questions';
import classes from './ChoiceCards.module.css';

export interface Fact {
  text: string;
  /** How it differs from the chosen card, or from now: «+3», «−₱120.00». */
  difference?: string | false;
}

export interface Card<I extends string> {
  id: I;
  label: string;
  /** What the choice leads to, one line each. */
  facts: readonly Fact[];
}

interface Props<I extends string> {
  labelledBy: string;
  cards: readonly Card<I>[];
  chosen: I | null;
  /** Marked while nothing is chosen. */
  suggested?: I;
  readOnly?: boolean;
  /** Whether a dialog opens with the focus here. */
  focused?: boolean;
  onChoose(id: I): void;
  /** Called for the Enter key, which chooses nothing. */
  onEnter(): void;
}

const STEP: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

/** A group of radio cards: number keys and arrows choose, Enter goes on. */
export function ChoiceCards<I extends string>(props: Props<I>) {
  const { labelledBy, cards, chosen, suggested, readOnly, focused, onChoose, onEnter } = props;
  const group = useRef<HTMLDivElement>(null);
  const current = Math.max(
    cards.findIndex(({ id }) => id === chosen),
    0,
  );

  function choose(place: number) {
    const card = cards[place];
    if (!card) return;
    group.current?.querySelectorAll<HTMLElement>('[role=radio]')[place]?.focus();
    if (!readOnly) onChoose(card.id);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const place = placeOfKey(event.key);
    const step = STEP[event.key];
    if (event.key !== 'Enter' && place === null && !step) return;
    // Neither a click on the focused card nor a shortcut of the page.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') {
      if (!event.repeat) onEnter();
    } else if (place !== null) {
      choose(place);
    } else if (step) {
      const radios = [...(group.current?.querySelectorAll('[role=radio]') ?? [])];
      const at = radios.indexOf(event.target as HTMLElement);
      choose((at + step + cards.length) % cards.length);
    }
  }

  return (
    <div
      ref={group}
      role="radiogroup"
      aria-labelledby={labelledBy}
      aria-readonly={readOnly || undefined}
      className={classes.cards}
      onKeyDown={onKeyDown}
    >
      {cards.map((card, i) => (
        <button
          key={card.id}
          type="button"
          role="radio"
          aria-checked={card.id === chosen}
          aria-disabled={readOnly || undefined}
          tabIndex={i === current ? 0 : -1}
          data-autofocus={(focused && i === current) || undefined}
          className={classes.card}
          data-suggested={(chosen === null && card.id === suggested) || undefined}
          onClick={() => !readOnly && onChoose(card.id)}
        >
          <span className={classes.head}>
            <strong>{card.label}</strong>
            {chosen === null && card.id === suggested && (
              <span className={classes.tag}>Suggested</span>
            )}
            {i < 9 && (
              <span className={classes.key} aria-hidden>
                <Kbd>{String(i + 1)}</Kbd>
              </span>
            )}
          </span>
          {card.facts.map(({ text, difference }) => (
            <span key={text} className={`${classes.fact} num`}>
              <span>{text}</span>
              {difference && (
                <span className={classes.difference}>
                  <VisuallyHidden>, difference </VisuallyHidden>
                  {difference}
                </span>
              )}
            </span>
          ))}
        </button>
      ))}
    </div>
  );
}
