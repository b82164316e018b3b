import { qty } from '#/ui/format';
import classes from './Entry.module.css';
import { useAskedRecount, useOpenCount } from './useCount';

/** Asks about a number that was changed late. It takes neither focus nor keyboard: unanswered, it was counted again. */
export function AskRecount() {
  const book = useOpenCount();
  const asked = useAskedRecount();
  if (!asked) return null;
  const answers = [
    { words: 'Counted again', again: true },
    { words: 'Only the number was wrong', again: false },
  ];
  return (
    <div className={classes.asked} role="status">
      <span>
        {asked.name}: {qty(asked.from)} is now {qty(asked.to)}.
      </span>
      {answers.map(({ words, again }) => (
        <button
          key={words}
          type="button"
          // The field keeps the focus, and with it the keypad.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => void book.answerRecount(again)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
