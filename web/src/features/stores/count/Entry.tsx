import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { SavedPlace } from '#/offline/writeQueue';
import { qty } from '#/ui/format';
import { insertOperator } from '#/ui/numberField';
import { OperatorKeys } from '#/ui/OperatorKeys';
import { AskRecount } from './AskRecount';
import { photoPath } from './api';
import { Conflict } from './Conflict';
import classes from './Entry.module.css';
import { EntryActions, type EntryHandlers } from './EntryActions';
import { EntryFields } from './EntryFields';
import { EntryHeading } from './EntryHeading';
import { ItemHistory } from './ItemHistory';
import type { Item } from './types';
import { useOpenCount, useRow } from './useCount';
import { usePhoto } from './usePhoto';
import { useSaveOnLeaving } from './useSaveOnLeaving';
import { useTyped } from './useTyped';

interface Props {
  item: Item;
  blind: boolean;
  yesterday: string;
  /** Set to a function that saves what is typed, for code that is about to show another item. */
  write: RefObject<(() => void) | null>;
  onMove(by: 1 | -1): void;
  onFill(values: readonly string[]): void;
  onClose(): void;
  onSaved(message: string, place: SavedPlace): void;
}

/** The form for one item's count. It stays mounted while the item changes, so that the keyboard stays up. */
export const Entry = memo(function Entry(props: Props) {
  const { item, blind, yesterday, onMove, onFill, onClose, onSaved } = props;
  const book = useOpenCount();
  const row = useRow(item.id);
  const typed = useTyped(item, row);
  const { note } = typed;
  const photo = usePhoto(book, item.id);
  const [historyOpen, setHistoryOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const last = useRef<HTMLInputElement | null>(null);

  function put(value: number | null, more: { note?: string } = {}): Promise<void> {
    typed.clear();
    const written = note !== null ? { note: note.trim() } : {};
    const what = value === null ? 'removed' : `${qty(value)} ${item.uomCode ?? ''}`.trim();
    return book.count(item.id, value, { ...written, ...more }).then((place) => {
      onSaved(`${item.name}: ${what}`, place);
    });
  }

  async function commit(): Promise<void> {
    const value = typed.wanted();
    if (value) await put(value.qty);
  }

  /** Whether a question about what is typed is still open; it is shown, and the item stays. */
  function asks(): boolean {
    if (!typed.touched || typed.reading.kind !== 'undecided') return false;
    typed.warn();
    return true;
  }

  function submit(): void {
    if (asks()) return;
    if (typed.touched && typed.reading.kind === 'invalid') {
      if (!typed.warned) {
        typed.warn();
        return;
      }
      // Warned once already: the second Enter saves zero.
      void put(0);
    } else void commit();
    onMove(1);
  }

  props.write.current = () => void commit();
  useSaveOnLeaving(book, item.id, typed, commit);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the item that is shown decides
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, [item.id]);

  function keys(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      submit();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (asks()) return;
      void commit();
      onMove(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      void commit();
      onClose();
    }
  }

  // The buttons below render once; the ref gives them the handlers of the current item.
  const handlers = useRef<EntryHandlers>(undefined as never);
  handlers.current = {
    insert(sign) {
      const input = last.current ?? field.current;
      if (input) insertOperator(input, sign);
    },
    previous() {
      if (asks()) return;
      void commit();
      onMove(-1);
    },
    note: typed.toggleNote,
    photo: (file) => file && void commit().then(() => photo.take(file)),
    notHere() {
      void put(0, { note: 'Not here' });
      onMove(1);
    },
    skip() {
      typed.clear();
      onMove(1);
    },
    next: submit,
  };
  const typeOperator = useCallback((sign: string) => handlers.current.insert(sign), []);
  const openHistory = useCallback(() => setHistoryOpen(true), []);

  return (
    <div
      ref={panel}
      className={classes.entry}
      role="group"
      data-operators
      aria-label={`Count of ${item.name}`}
      onBlur={(event) => {
        if (panel.current?.contains(event.relatedTarget)) return;
        void commit();
        // The field stays visible: without this it would show the old count for a frame.
        book.refresh(item.id);
      }}
    >
      <EntryHeading
        item={item}
        blind={blind}
        yesterday={yesterday}
        previous={row.previous}
        expected={row.expected}
        onHistory={openHistory}
        onClose={onClose}
      />

      <AskRecount />
      {row.others.length > 0 && <Conflict row={row} />}
      {(row.state === 'held' || row.state === 'rejected') && (
        <p className={classes.held}>
          {row.state === 'held' ? 'Held' : 'Not accepted'}: {row.reason}
        </p>
      )}

      <EntryFields
        typed={typed}
        uomCode={item.uomCode}
        field={field}
        last={last}
        onKeyDown={keys}
        onFill={onFill}
      />

      <OperatorKeys onType={typeOperator} />

      {note !== null && (
        <input
          className={classes.noteInput}
          aria-label="Note"
          placeholder="Note, such as “one bag open”"
          maxLength={300}
          value={note}
          onChange={(event) => typed.typeNote(event.currentTarget.value)}
          onKeyDown={keys}
        />
      )}
      {(photo.message || row.photo) && (
        <p className={classes.photo}>
          {row.photo && (
            <a href={photoPath(book.scope.storeId, row.photo)} target="_blank" rel="noreferrer">
              <img src={photoPath(book.scope.storeId, row.photo)} alt={`Taken of ${item.name}`} />
            </a>
          )}
          <span role="status">{photo.message}</span>
        </p>
      )}

      <EntryActions noting={note !== null} handlers={handlers} />
      {historyOpen && (
        <ItemHistory scope={book.scope} item={item} onClose={() => setHistoryOpen(false)} />
      )}
    </div>
  );
});
