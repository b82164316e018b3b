import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { onCommit } from '#/offline/commit';
import { shrinkPhoto } from '#/offline/shrinkPhoto';
import type { SavedPlace } from '#/offline/writeQueue';
import { qty } from '#/ui/format';
import { insertOperator, numberField } from '#/ui/numberField';
import { isCalculation, kindOfUnit, showNumber } from '#/ui/numberInput';
import { OperatorKeys } from '#/ui/OperatorKeys';
import { photoPath } from './api';
import { Conflict } from './Conflict';
import { BASE_UNIT, type Draft, readDraft, unitsOf } from './draft';
import classes from './Entry.module.css';
import { EntryActions, type EntryHandlers } from './EntryActions';
import { EntryHeading } from './EntryHeading';
import { ItemHistory } from './ItemHistory';
import { keepPhoto, refusalOf, sendPhotos } from './photos';
import type { Item } from './types';
import { useOpenCount, useRow } from './useCount';

const EMPTY: Draft = {};

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
  const units = unitsOf(item);
  const unitCode = item.uomCode ?? 'pc';
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [touched, setTouched] = useState(false);
  const [note, setNote] = useState<string | null>(null);
  const [warned, setWarned] = useState(false);
  const [photoSays, setPhotoSays] = useState('');
  const [historyOpen, setHistoryOpen] = useState(false);
  const [shown, setShown] = useState(item.id);
  const panel = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const last = useRef<HTMLInputElement | null>(null);
  /** Typed and not saved yet. A ref, because one key press may ask for it twice before the next render. */
  const dirty = useRef(false);
  /** What was typed and not decided when another item was shown, by item: it is there when the item comes back. */
  const undecided = useRef(new Map<string, Draft>());

  if (shown !== item.id) {
    const kept = undecided.current.get(item.id);
    setShown(item.id);
    setDraft(kept ?? EMPTY);
    setTouched(kept !== undefined);
    setNote(null);
    setWarned(false);
    setPhotoSays('');
  }

  const text = (key: string) => {
    if (touched) return draft[key] ?? '';
    return key === BASE_UNIT && row.counted
      ? showNumber(row.qty, kindOfUnit(unitCode, item.whole))
      : '';
  };
  const now: Draft = Object.fromEntries(units.map(({ key }) => [key, text(key)]));
  const reading = readDraft(now, units);
  const several = units.filter(({ key }) => now[key]?.trim()).length > 1;
  const sum =
    several ||
    units.some(({ key, factor }) => isCalculation(now[key] ?? '') || (factor !== 1 && now[key]));

  /** The quantity to save; null when nothing was changed or the input is invalid. */
  const wanted = (): { qty: number | null } | null => {
    if (!dirty.current) return null;
    const noted = note !== null && note.trim() !== row.note;
    if (!touched && !noted) return null;
    if (reading.kind === 'invalid' || reading.kind === 'undecided') return null;
    const value = reading.kind === 'empty' ? null : reading.value;
    if (value === row.qty && !noted) return null;
    // A note alone is no count.
    if (value === null && !row.counted) return null;
    return { qty: value };
  };

  function put(value: number | null, more: { note?: string } = {}): Promise<void> {
    dirty.current = false;
    undecided.current.delete(item.id);
    setTouched(false);
    setNote(null);
    setWarned(false);
    const written = note !== null ? { note: note.trim() } : {};
    const what = value === null ? 'removed' : `${qty(value)} ${item.uomCode ?? ''}`.trim();
    return book.count(item.id, value, { ...written, ...more }).then((place) => {
      onSaved(`${item.name}: ${what}`, place);
    });
  }

  async function commit(): Promise<void> {
    const value = wanted();
    if (value) await put(value.qty);
  }

  /** Whether a question about what is typed is still open; it is shown, and the item stays. */
  function asks(): boolean {
    if (!touched || reading.kind !== 'undecided') return false;
    setWarned(true);
    return true;
  }

  function submit(): void {
    if (asks()) return;
    if (touched && reading.kind === 'invalid') {
      if (!warned) {
        setWarned(true);
        return;
      }
      // Warned once already: the second Enter saves zero.
      void put(0);
    } else void commit();
    onMove(1);
  }

  // The page may be closed at any moment: save what is typed then.
  const leaving = useRef({ commit, wanted });
  leaving.current = { commit, wanted };
  props.write.current = () => void commit();
  useEffect(() => {
    const hide = () => {
      const value = leaving.current.wanted();
      if (!value) return;
      dirty.current = false;
      book.countNow(item.id, value.qty);
      setTouched(false);
    };
    const away = () => document.visibilityState === 'hidden' && void leaving.current.commit();
    window.addEventListener('pagehide', hide);
    document.addEventListener('visibilitychange', away);
    const off = onCommit(() => leaving.current.commit());
    return () => {
      window.removeEventListener('pagehide', hide);
      document.removeEventListener('visibilitychange', away);
      off();
    };
  }, [book, item.id]);

  useEffect(() => {
    dirty.current = undecided.current.has(item.id);
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, [item.id]);

  function type(key: string, value: string): void {
    // Packs typed into an item that has a count are a new count and not some more.
    const before = touched ? draft : key === BASE_UNIT ? EMPTY : { [BASE_UNIT]: '' };
    const next = { ...before, [key]: value };
    dirty.current = true;
    if (readDraft(next, units).kind === 'undecided') undecided.current.set(item.id, next);
    else undecided.current.delete(item.id);
    setDraft(next);
    setTouched(true);
    setWarned(false);
  }

  function insert(sign: string): void {
    const input = last.current ?? field.current;
    if (input) insertOperator(input, sign);
  }

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

  async function photograph(file: File | undefined): Promise<void> {
    if (!file) return;
    await commit();
    let key: string;
    try {
      key = await keepPhoto(book.scope, book.uid, item.id, await shrinkPhoto(file));
      setPhotoSays('Photo saved on this device');
    } catch {
      setPhotoSays('The photo could not be saved. This device is full.');
      return;
    }
    await sendPhotos(book.uid);
    const refused = refusalOf(key);
    if (refused) setPhotoSays(`The photo was not accepted: ${refused} It stays on this device.`);
  }

  // The buttons below render once; the ref gives them the handlers of the current item.
  const handlers = useRef<EntryHandlers>(undefined as never);
  handlers.current = {
    insert,
    previous: () => {
      if (asks()) return;
      void commit();
      onMove(-1);
    },
    note: () => setNote(note === null ? row.note : null),
    photo: (file) => void photograph(file),
    notHere: () => {
      void put(0, { note: 'Not here' });
      onMove(1);
    },
    skip: () => {
      dirty.current = false;
      undecided.current.delete(item.id);
      setTouched(false);
      setNote(null);
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

      {row.others.length > 0 && <Conflict row={row} />}
      {(row.state === 'held' || row.state === 'rejected') && (
        <p className={classes.held}>
          {row.state === 'held' ? 'Held' : 'Not accepted'}: {row.reason}
        </p>
      )}

      <div className={classes.fields}>
        {units.map(({ key, code, whole, factor }) => (
          <label key={key} className={classes.field} data-base={key === BASE_UNIT || undefined}>
            <input
              ref={key === BASE_UNIT ? field : undefined}
              data-unit={key}
              className={classes.input}
              type="text"
              {...numberField(kindOfUnit(code, whole), code)}
              enterKeyHint="next"
              aria-label={key === BASE_UNIT ? `Count in ${code}` : `Packs: ${code}`}
              aria-invalid={warned || undefined}
              aria-describedby="count-reading"
              value={text(key)}
              onChange={(event) => type(key, event.currentTarget.value)}
              onFocus={(event) => {
                last.current = event.currentTarget;
              }}
              onKeyDown={keys}
              onPaste={(event) => {
                const lines = event.clipboardData.getData('text').trim().split(/\r?\n/);
                if (lines.length < 2 || key !== BASE_UNIT) return;
                event.preventDefault();
                onFill(lines);
              }}
            />
            <span className={classes.unit}>
              {code}
              {factor !== 1 && <span className={classes.factor}> of {qty(factor)}</span>}
            </span>
          </label>
        ))}
      </div>
      <p
        id="count-reading"
        className={classes.reading}
        aria-live="polite"
        data-wrong={warned || undefined}
      >
        {warned && reading.kind === 'invalid'
          ? `${reading.message} Press Enter or Next again to save 0.`
          : warned && reading.kind === 'undecided'
            ? reading.message
            : reading.kind === 'number' && sum
              ? `= ${qty(reading.value)} ${item.uomCode ?? ''}`
              : ''}
      </p>

      <OperatorKeys onType={typeOperator} />

      {note !== null && (
        <input
          className={classes.noteInput}
          aria-label="Note"
          placeholder="Note, such as “one bag open”"
          maxLength={300}
          value={note}
          onChange={(event) => {
            dirty.current = true;
            setNote(event.currentTarget.value);
          }}
          onKeyDown={keys}
        />
      )}
      {(photoSays || row.photo) && (
        <p className={classes.photo}>
          {row.photo && (
            <a href={photoPath(book.scope.storeId, row.photo)} target="_blank" rel="noreferrer">
              <img src={photoPath(book.scope.storeId, row.photo)} alt={`Taken of ${item.name}`} />
            </a>
          )}
          <span role="status">{photoSays}</span>
        </p>
      )}

      <EntryActions noting={note !== null} handlers={handlers} />
      {historyOpen && (
        <ItemHistory scope={book.scope} item={item} onClose={() => setHistoryOpen(false)} />
      )}
    </div>
  );
});
