import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import classes from './NumberFields.module.css';
import { insertOperator, typeInto } from './numberField';
import {
  choiceLabel,
  type NumberKind,
  questionOf,
  readTyped,
  showNumber,
  shownTyped,
} from './numberInput';
import { OperatorKeys } from './OperatorKeys';
import { useMedia } from './useMedia';

const LOOK_MS = 200;

interface Question {
  input: HTMLInputElement;
  text: string;
  choices: readonly [number, number];
}

/** The number field of an event. */
function fieldOf(target: EventTarget | null): HTMLInputElement | null {
  const input = target instanceof HTMLInputElement && target.dataset.number ? target : null;
  return input && !input.readOnly && !input.disabled ? input : null;
}

const kindOf = (input: HTMLInputElement) => input.dataset.number as NumberKind;

function questionIn(input: HTMLInputElement): Question | null {
  const reading = readTyped(input.value, kindOf(input));
  return 'ambiguous' in reading ? { input, text: input.value, choices: reading.choices } : null;
}

/**
 * Serves all inputs marked by `numberField`, wherever they are: native inputs in virtual rows as
 * well as those of forms, without a component around each.
 */
export function NumberFields() {
  const [question, setQuestion] = useState<Question | null>(null);
  const [active, setActive] = useState<HTMLInputElement | null>(null);
  const [left, setLeft] = useState(false);
  const asked = useRef<HTMLDivElement>(null);
  /** Tab and Enter go to the answers; the pointer may go anywhere. */
  const byKeyboard = useRef(false);

  useEffect(() => {
    /** The text at focus: an unchanged field is left alone. */
    let before = '';
    const enter = (event: FocusEvent) => {
      const input = fieldOf(event.target);
      const to = event.target as Node;
      if (!input) return setActive((now) => (now && dialogOf(now)?.contains(to) ? now : null));
      before = input.value;
      setActive(input);
      setLeft(false);
      // The previous field's question stays until it is answered.
      setQuestion((open) => questionIn(input) ?? open);
    };
    const leave = (event: FocusEvent) => {
      // In a dialog the keys keep their room: its buttons must not move under the finger that leaves the field.
      setActive((now) => (now && dialogOf(now) ? now : null));
      setLeft(true);
      const input = fieldOf(event.target);
      if (!input || input.value === before) return;
      const open = questionIn(input);
      if (open) setQuestion(open);
      else typeInto(input, shownTyped(input.value, kindOf(input)));
    };
    const typed = (event: Event) =>
      setQuestion((open) => (open?.input === event.target ? null : open));
    const key = (event: KeyboardEvent) => {
      if ((event.key !== 'Tab' && event.key !== 'Enter') || event.isComposing) return;
      if (event.key === 'Tab' && event.shiftKey) return;
      const input = fieldOf(event.target);
      const open = input && questionIn(input);
      if (!open) return;
      event.preventDefault();
      event.stopPropagation();
      byKeyboard.current = true;
      setQuestion(open);
    };
    document.addEventListener('focusin', enter, true);
    document.addEventListener('focusout', leave, true);
    document.addEventListener('input', typed, true);
    document.addEventListener('keydown', key, true);
    return () => {
      document.removeEventListener('focusin', enter, true);
      document.removeEventListener('focusout', leave, true);
      document.removeEventListener('input', typed, true);
      document.removeEventListener('keydown', key, true);
    };
  }, []);

  useLayoutEffect(() => {
    if (!question || !byKeyboard.current) return;
    byKeyboard.current = false;
    asked.current?.querySelector('button')?.focus();
  }, [question]);

  const answer = useCallback((open: Question, value: number | null) => {
    setQuestion(null);
    if (!open.input.isConnected || open.input.value !== open.text) return;
    if (value !== null) typeInto(open.input, showNumber(value, kindOf(open.input)));
    open.input.focus();
    if (value === null) setQuestion(null);
  }, []);

  const forget = useCallback(() => setQuestion(null), []);

  const touch = useMedia('(max-width: 47.99em), (pointer: coarse)');
  return (
    <>
      {question?.input.isConnected && (
        <Asked
          key={question.text}
          ref={asked}
          question={question}
          onAnswer={answer}
          onGone={forget}
        />
      )}
      {touch && active?.isConnected && !active.closest('[data-operators]') && (
        <Operators input={active} left={left} />
      )}
    </>
  );
}

interface AskedProps {
  onGone(): void;
  ref: React.Ref<HTMLDivElement>;
  question: Question;
  onAnswer(question: Question, value: number | null): void;
}

/** Asks below the field which of two numbers its text means. */
function Asked({ ref, question, onAnswer, onGone }: AskedProps) {
  const { input, choices } = question;
  const unit = input.dataset.numberUnit ?? '';
  const box = useRef<HTMLDivElement>(null);
  useFollow(box, question, onGone);
  return createPortal(
    <div ref={box} className={classes.place}>
      <div
        ref={ref}
        role="dialog"
        aria-label={questionOf(choices, unit)}
        className={classes.asked}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            event.stopPropagation();
            onAnswer(question, null);
          }
          if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
            const buttons = [...event.currentTarget.querySelectorAll('button')];
            buttons[event.key === 'ArrowLeft' ? 0 : 1]?.focus();
          }
          // Keeps the event from the grid or form around the field.
          if (event.key !== 'Tab') event.stopPropagation();
        }}
      >
        <p role="alert">{questionOf(choices, unit)}</p>
        <div className={classes.choices}>
          {choices.map((value) => (
            <button
              key={value}
              type="button"
              data-mantine-stop-propagation="true"
              onClick={() => onAnswer(question, value)}
            >
              {choiceLabel(value, unit)}
            </button>
          ))}
        </div>
      </div>
    </div>,
    input.closest('[role="dialog"], [role="alertdialog"]') ?? document.body,
  );
}

/** Keeps a box below the field, or above it if there is no room, whatever the box is positioned in. */
function useFollow(
  box: React.RefObject<HTMLDivElement | null>,
  { input, text }: Question,
  onGone: () => void,
): void {
  const gone = useRef(onGone);
  gone.current = onGone;
  useLayoutEffect(() => {
    const place = () => {
      const node = box.current;
      if (!node) return;
      // The field is gone, or shows something else by now, such as the next item.
      if (!input.isConnected || input.value !== text) {
        gone.current();
        return;
      }
      node.style.translate = '0 0';
      const from = node.getBoundingClientRect();
      const at = input.getBoundingClientRect();
      const bottom = (window.visualViewport?.height ?? innerHeight) - 8;
      const below = at.bottom + 6 + from.height <= bottom;
      const top = below ? at.bottom + 6 : Math.max(8, at.top - 6 - from.height);
      const left = Math.max(8, Math.min(at.left, innerWidth - from.width - 8));
      node.style.translate = `${Math.round(left - from.left)}px ${Math.round(top - from.top)}px`;
    };
    place();
    // Layouts change and pages are left without an event.
    const timer = setInterval(place, LOOK_MS);
    window.addEventListener('scroll', place, true);
    window.addEventListener('resize', place);
    return () => {
      clearInterval(timer);
      window.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
    };
  }, [box, input, text]);
}

/** The dialog around a field that is as high as what is in it; a drawer fills the screen and has a footer. */
const dialogOf = (input: Element) =>
  input.closest<HTMLElement>(
    '[role="dialog"]:not(.mantine-Drawer-content), [role="alertdialog"]:not(.mantine-Drawer-content)',
  );

interface OperatorsProps {
  input: HTMLInputElement;
  /** The field is no longer focused. */
  left: boolean;
}

/**
 * Operator keys above the keypad of a phone; above the footer of the screen while the keypad is not shown. In a dialog
 * they come after all of it, so that they cover none of its buttons.
 */
function Operators({ input, left }: OperatorsProps) {
  const bar = useRef<HTMLDivElement>(null);
  const dialog = dialogOf(input);
  useLayoutEffect(() => {
    const place = () => {
      const view = window.visualViewport;
      const keypad = view ? Math.max(0, Math.round(innerHeight - view.height - view.offsetTop)) : 0;
      if (dialog) return keepAbove(bar.current, dialog, innerHeight - keypad);
      bar.current?.style.setProperty('--above', `${keypad || footHeight(bar.current)}px`);
    };
    place();
    const view = window.visualViewport;
    view?.addEventListener('resize', place);
    view?.addEventListener('scroll', place);
    return () => {
      view?.removeEventListener('resize', place);
      view?.removeEventListener('scroll', place);
    };
  }, [dialog]);
  const type = useCallback((sign: string) => insertOperator(input, sign), [input]);
  return createPortal(
    <div
      ref={bar}
      role="region"
      aria-label="Arithmetic"
      className={dialog ? classes.after : classes.bar}
      style={left ? { visibility: 'hidden' } : undefined}
    >
      <OperatorKeys onType={type} />
    </div>,
    input.closest('[role="dialog"], [role="alertdialog"]') ?? document.body,
  );
}

/** Leaves room below the keys for what the keypad covers of the dialog. That grows by it, and so may move. */
function keepAbove(bar: HTMLElement | null, dialog: HTMLElement, bottom: number): void {
  let room = 0;
  for (let tries = 0; tries < 12; tries += 1) {
    bar?.style.setProperty('--under', `${room}px`);
    const covered = Math.max(0, Math.ceil(dialog.getBoundingClientRect().bottom - bottom));
    if (covered <= room + 1) return;
    room = covered;
  }
}

/** How much of the screen's bottom is covered by fixed parts: footers, docks, bars. */
function footHeight(bar: HTMLElement | null): number {
  const feet = new Set<Element>(document.querySelectorAll('footer, [data-foot]'));
  for (const element of document.elementsFromPoint(innerWidth / 2, innerHeight - 4)) {
    if (bar?.contains(element)) continue;
    for (let node: Element | null = element; node; node = node.parentElement) {
      if (/^(fixed|sticky)$/.test(getComputedStyle(node).position)) feet.add(node);
    }
  }
  let height = 0;
  for (const foot of feet) {
    const { top, bottom, height: own } = foot.getBoundingClientRect();
    if (own > 0 && bottom >= innerHeight - 1 && top > innerHeight / 3)
      height = Math.max(height, Math.round(innerHeight - top));
  }
  return height;
}
