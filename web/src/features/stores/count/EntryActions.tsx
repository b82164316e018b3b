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

export interface EntryHandlers {
  insert(sign: string): void;
  previous(): void;
  note(): void;
  photo(file: File | undefined): void;
  notHere(): void;
  skip(): void;
  next(): void;
}

interface Props {
  noting: boolean;
  /** The handlers of the current item; a ref, so that the buttons need not render again for each item. */
  handlers: RefObject<EntryHandlers>;
}

/** The buttons below the fields: previous, note, photo, not here, skip, next. */
export const EntryActions = memo(function EntryActions({ noting, handlers }: Props) {
  return (
    <div className={classes.actions}>
      <button
        type="button"
        className={classes.action}
        onClick={() => handlers.current.previous()}
        aria-label="Previous item"
      >
        <IconChevronLeft size={20} aria-hidden />
      </button>
      <button
        type="button"
        className={classes.action}
        aria-pressed={noting}
        onClick={() => handlers.current.note()}
      >
        <IconNote size={20} stroke={1.7} aria-hidden />
        <span>Note</span>
      </button>
      <label className={classes.action}>
        <IconCamera size={20} stroke={1.7} aria-hidden />
        <span>Photo</span>
        <input
          type="file"
          accept="image/*"
          capture="environment"
          className="sr-only"
          onChange={(event) => {
            handlers.current.photo(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </label>
      <button type="button" className={classes.action} onClick={() => handlers.current.notHere()}>
        <IconMapPinOff size={20} stroke={1.7} aria-hidden />
        <span>Not here</span>
      </button>
      <button type="button" className={classes.action} onClick={() => handlers.current.skip()}>
        <IconPlayerSkipForward size={20} stroke={1.7} aria-hidden />
        <span>Skip</span>
      </button>
      <button
        type="button"
        className={classes.next}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => handlers.current.next()}
      >
        Next
        <IconArrowRight size={20} aria-hidden />
      </button>
    </div>
  );
});
