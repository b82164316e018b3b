// Input survives a reload, a closed browser and a missing network: each change is written to the disk and to the
// mirror.
import { useCallback, useEffect, useRef, useState } from 'react';
import { queries } from '#/api/queries';
import { useMe } from '#/api/session';
import { disk, mirror } from '#/offline/device';
import { KEY } from './keys';

/** Devices hold drafts under these: never change them. */
const ON_DISK = 'branch-draft:';
const IN_MIRROR = 'branchOpsDraft:';

interface Stored<T> {
  at: number;
  value: T;
}

const isStored = <T>(value: unknown): value is Stored<T> =>
  typeof value === 'object' && value !== null && 'value' in value && 'at' in value;

export const draftName = (uid: string, name: string) => `${uid}:${name}`;

/** The newer of both copies; null without a draft. */
export async function readDraft<T>(uid: string, name: string): Promise<T | null> {
  const key = draftName(uid, name);
  const onDisk: unknown = await disk.get('meta', ON_DISK + key).catch(() => undefined);
  const mirrored = mirror.get(IN_MIRROR + key);
  const copies = [onDisk, mirrored].filter(isStored<T>).sort((a, b) => b.at - a.at);
  return copies[0]?.value ?? null;
}

/** True once it is safe on the device. */
export async function writeDraft<T>(uid: string, name: string, value: T): Promise<boolean> {
  const key = draftName(uid, name);
  const stored: Stored<T> = { at: Date.now(), value };
  const mirrored = mirror.put(IN_MIRROR + key, stored);
  const written = await disk.put('meta', ON_DISK + key, stored).then(
    () => true,
    () => false,
  );
  return written || mirrored;
}

/** Screens that show a draft, by its name. */
const shown = new Map<string, Set<() => void>>();

/** Writes a draft that a screen may be showing. */
export async function replaceDraft<T>(uid: string, name: string, value: T): Promise<boolean> {
  const safe = await writeDraft(uid, name, value);
  for (const reload of shown.get(draftName(uid, name)) ?? []) reload();
  void queries.invalidateQueries({ queryKey: [...KEY, 'drafts'] });
  return safe;
}

export async function removeDraft(uid: string, name: string): Promise<void> {
  const key = draftName(uid, name);
  mirror.remove(IN_MIRROR + key);
  await disk.change('meta', [], [ON_DISK + key]).catch(() => {});
  void queries.invalidateQueries({ queryKey: [...KEY, 'drafts'] });
}

/** The names of the user's drafts that begin with `prefix`. */
export async function draftNames(uid: string, prefix: string): Promise<string[]> {
  const start = draftName(uid, '');
  const onDisk = await disk.keys('meta').catch(() => []);
  const keys = [
    ...onDisk.filter((key) => key.startsWith(ON_DISK)).map((key) => key.slice(ON_DISK.length)),
    ...mirror.keys(IN_MIRROR).map((key) => key.slice(IN_MIRROR.length)),
  ];
  const own = keys.filter((key) => key.startsWith(start + prefix));
  return [...new Set(own.map((key) => key.slice(start.length)))];
}

export interface Draft<T> {
  /** False until the stored draft has been read. */
  ready: boolean;
  value: T;
  /** Something was typed. */
  begun: boolean;
  /** False when the last change could not be stored. */
  safe: boolean;
  set(change: (now: T) => T): void;
  clear(): Promise<void>;
}

/** Reads a draft; one kept under an earlier name is moved. */
async function readOrMove<T>(uid: string, name: string, earlier: string | undefined) {
  const found = await readDraft<T>(uid, name);
  if (found || !earlier) return found;
  const old = await readDraft<T>(uid, earlier);
  if (old && (await writeDraft(uid, name, old))) await removeDraft(uid, earlier);
  return old;
}

/** A form's values, stored on this device under `name` with every change. `earlier`: a name it may still have. */
export function useDraft<T>(name: string, empty: () => T, earlier?: string): Draft<T> {
  const { uid } = useMe().user;
  const [value, setValue] = useState(empty);
  const [ready, setReady] = useState(false);
  const [begun, setBegun] = useState(false);
  const [safe, setSafe] = useState(true);
  const current = useRef(value);
  const begin = useRef(empty);
  // Writes of one draft follow each other, so that the last one typed is the last one written.
  const writes = useRef<Promise<unknown>>(Promise.resolve());

  useEffect(() => {
    let over = false;
    const load = () =>
      void readOrMove<T>(uid, name, earlier).then((found) => {
        if (over) return;
        if (found) {
          current.current = found;
          setValue(found);
          setBegun(true);
        }
        setReady(true);
      });
    load();
    const key = draftName(uid, name);
    const loads = shown.get(key) ?? new Set();
    shown.set(key, loads.add(load));
    return () => {
      over = true;
      loads.delete(load);
    };
  }, [uid, name, earlier]);

  const set = useCallback(
    (change: (now: T) => T) => {
      const next = change(current.current);
      current.current = next;
      setValue(next);
      setBegun(true);
      writes.current = writes.current
        .then(() => writeDraft(uid, name, current.current))
        .then((kept) => setSafe(kept));
    },
    [uid, name],
  );

  const clear = useCallback(async () => {
    await writes.current;
    await removeDraft(uid, name);
    current.current = begin.current();
    setValue(current.current);
    setBegun(false);
  }, [uid, name]);

  return { ready, value, begun, safe, set, clear };
}
