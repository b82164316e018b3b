import {
  IconArrowRight,
  IconCamera,
  IconChevronLeft,
  IconMapPinOff,
  IconNote,
  IconPlayerSkipForward,
} from '@tabler/icons-react';
import { memo, type RefObject } from 'react';
import classes from './Entry.module.css';

const OPERATORS = ['+', '−', '×', '÷', '(', ')'] as const;

export interface EntryDeeds {
  sign(sign: string): void;
  previous(): void;
  note(): void;
  photo(file: File | undefined): void;
  notHere(): void;
  skip(): void;
  next(): void;
}

interface Props {
  noting: boolean;
  /** What they do for the item of the moment; the keys stay as they are while items come and go. */
  deeds: RefObject<EntryDeeds>;
}

/** The signs of a sum, for phones whose keypad has none. */
export const Signs = memo(function Signs({ deeds }: Pick<Props, 'deeds'>) {
  return (
    <div className={classes.signs}>
      {OPERATORS.map((sign) => (
        <button
          key={sign}
          type="button"
          className={classes.key}
          aria-label={`Type ${sign}`}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => deeds.current.sign(sign)}
        >
          {sign}
        </button>
      ))}
    </div>
  );
});

/** What else there is to do with an item, and the way to the next. */
export const Deeds = memo(function Deeds({ noting, deeds }: Props) {
  return (
    <div className={classes.deeds}>
      <button
        type="button"
        className={classes.deed}
        onClick={() => deeds.current.previous()}
        aria-label="Previous item"
      >
        <IconChevronLeft size={20} aria-hidden />
      </button>
      <button
        type="button"
        className={classes.deed}
        aria-pressed={noting}
        onClick={() => deeds.current.note()}
      >
        <IconNote size={20} stroke={1.7} aria-hidden />
        <span>Note</span>
      </button>
      <label className={classes.deed}>
        <IconCamera size={20} stroke={1.7} aria-hidden />
        <span>Photo</span>
        <input
          type="file"
          accept="image/*"
          capture="environment"
          className="sr-only"
          onChange={(event) => {
            deeds.current.photo(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </label>
      <button type="button" className={classes.deed} onClick={() => deeds.current.notHere()}>
        <IconMapPinOff size={20} stroke={1.7} aria-hidden />
        <span>Not here</span>
      </button>
      <button type="button" className={classes.deed} onClick={() => deeds.current.skip()}>
        <IconPlayerSkipForward size={20} stroke={1.7} aria-hidden />
        <span>Skip</span>
      </button>
      <button
        type="button"
        className={classes.next}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => deeds.current.next()}
      >
        Next
        <IconArrowRight size={20} aria-hidden />
      </button>
    </div>
  );
});
