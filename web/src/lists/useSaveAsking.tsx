import { useState } from 'react';
import type { Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import type { ListApi } from './api';
import type { AskProps, ListDef } from './define';

/** Saves a record, and asks the list's question about a change first, if it has one. */
export function useSaveAsking<T extends Saved>(def: ListDef<T>, api: ListApi<T>) {
  const [asking, setAsking] = useState<AskProps<T> | null>(null);

  /** Null if the question was cancelled. */
  async function save(current: T | null, body: Wire, revision: number | null): Promise<T | null> {
    if (!current || revision === null) return api.create(body);
    let options: Wire | null = {};
    if (def.ask?.when(body)) {
      options = await new Promise<Wire | null>((answer) =>
        setAsking({ record: current, changed: body, answer }),
      );
      setAsking(null);
      if (!options) return null;
    }
    return api.update(current.id, revision, { ...body, ...options });
  }

  const Ask = def.ask?.dialog;
  return { save, dialog: Ask && asking && <Ask {...asking} /> };
}
