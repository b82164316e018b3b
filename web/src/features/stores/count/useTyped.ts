import { useEffect, useRef, useState } from 'react';
import { isCalculation, kindOfUnit, showNumber } from '#/ui/numberInput';
import { BASE_UNIT, type Draft, readDraft, unitsOf } from './draft';
import type { CountRow } from './rows';
import type { Item } from './types';

const EMPTY: Draft = {};

/** What is typed for an item's count and not saved yet; it starts anew when the item changes. */
export function useTyped(item: Item, row: CountRow) {
  const units = unitsOf(item);
  const unitCode = item.uomCode ?? 'pc';
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [touched, setTouched] = useState(false);
  const [note, setNote] = useState<string | null>(null);
  const [warned, setWarned] = useState(false);
  const [shown, setShown] = useState(item.id);
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
  }

  useEffect(() => {
    dirty.current = undecided.current.has(item.id);
  }, [item.id]);

  const text = (key: string) => {
    if (touched) return draft[key] ?? '';
    return key === BASE_UNIT && row.counted
      ? showNumber(row.qty, kindOfUnit(unitCode, item.whole))
      : '';
  };
  const now: Draft = Object.fromEntries(units.map(({ key }) => [key, text(key)]));
  const reading = readDraft(now, units);
  const several = units.filter(({ key }) => now[key]?.trim()).length > 1;
  /** Whether the quantity differs from what is typed, so that it is worth showing. */
  const calculated =
    several ||
    units.some(({ key, factor }) => isCalculation(now[key] ?? '') || (factor !== 1 && now[key]));

  /** The quantity to save; null when nothing was changed or the input is invalid. */
  function wanted(): { qty: number | null } | null {
    if (!dirty.current) return null;
    const noted = note !== null && note.trim() !== row.note;
    if (!touched && !noted) return null;
    if (reading.kind === 'invalid' || reading.kind === 'undecided') return null;
    const value = reading.kind === 'empty' ? null : reading.value;
    if (value === row.qty && !noted) return null;
    // A note alone is no count.
    if (value === null && !row.counted) return null;
    return { qty: value };
  }

  /** Forgets what is typed: it was saved or given up. */
  function clear(): void {
    dirty.current = false;
    undecided.current.delete(item.id);
    setTouched(false);
    setNote(null);
    setWarned(false);
  }

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

  return {
    units,
    text,
    reading,
    calculated,
    touched,
    note,
    warned,
    wanted,
    clear,
    type,
    /** Shows what is wrong with the input. */
    warn: () => setWarned(true),
    typeNote(value: string): void {
      dirty.current = true;
      setNote(value);
    },
    toggleNote: () => setNote(note === null ? row.note : null),
    /** The quantity was saved while the page closed; a note stays. */
    saved(): void {
      dirty.current = false;
      setTouched(false);
    },
  };
}

export type Typed = ReturnType<typeof useTyped>;
