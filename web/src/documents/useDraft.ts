import { useMemo, useState } from 'react';
import { Problem } from '#/api/problem';
import { useGridModel, useStamp } from '#/grid/EntryGrid';
import { GridModel } from '#/grid/model';
import { documentApi, documentChanged } from './api';
import type { DocumentDef, DocumentHead, DocumentLine } from './types';

interface Options<L> {
  /** A line as it is saved, with what was typed into the grid. */
  lineOf(line: L, model: GridModel): object;
  /** The grid's column in which a fault of this field is shown. */
  columnOf?(field: string): string;
}

type WithLines<H, L> = H & { lines: L[] };

/** What is typed into a document and not saved yet: cells of its lines, fields of its head. */
export function useDraft<H extends DocumentHead, L extends DocumentLine>(
  def: DocumentDef<H>,
  document: WithLines<H, L>,
  { lineOf, columnOf = (field) => field }: Options<L>,
) {
  type D = WithLines<H, L>;
  const model = useGridModel(() => new GridModel());
  useStamp(model);
  const [head, setHead] = useState<Record<string, unknown>>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [saving, setSaving] = useState(false);
  const dirty = model.dirty || Object.keys(head).length > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: of the lines as they were sent
  const errors = useMemo(() => {
    const found = new Map<string, string>();
    for (const { field, message } of problem?.fields ?? []) {
      const [, at, name] = field.match(/^lines\.(\d+)\.(\w+)$/) ?? [];
      const line = at === undefined ? undefined : document.lines[Number(at)];
      if (line && name) found.set(`${line.id}/${columnOf(name)}`, message);
    }
    return found;
  }, [problem]);

  /** Saves what was typed; `change` adds lines to those of the document or takes some out. */
  async function save(change?: (lines: object[]) => object[]): Promise<D | null> {
    if (!dirty && !change) return document;
    setSaving(true);
    setProblem(null);
    const settle = model.sending();
    const typed = document.lines.map((line) => lineOf(line, model));
    const lines = change ? change(typed) : typed;
    try {
      const changed = { ...head, ...(model.dirty || change ? { lines } : {}) };
      const api = documentApi<H, D>(def.base);
      const now = await api.update(document.id, document.revision, changed);
      documentChanged(def, now);
      settle();
      setHead((typed) => unsent(typed, head));
      return now;
    } catch (error) {
      const refused = Problem.of(error);
      setProblem(refused);
      // What was typed stays; what somebody else saved meanwhile comes in below it.
      if (refused.code === 'stale') documentChanged(def, refused.extras.current as D);
      return null;
    } finally {
      setSaving(false);
    }
  }

  function forget(): void {
    model.clear();
    setHead({});
    setProblem(null);
  }

  return {
    model,
    head,
    problem,
    saving,
    dirty,
    errors,
    save,
    forget,
    setProblem,
    setField: (name: string, value: unknown) => setHead((now) => ({ ...now, [name]: value })),
    errorOf: (name: string) => problem?.fields.find(({ field }) => field === name)?.message ?? null,
  };
}

/** What was typed into a number's cell: a number, or the text the server is to refuse. */
export function typedNumber(model: GridModel, id: string, column: string, saved: number | null) {
  const value = model.number(id, column, saved);
  return Number.isNaN(value) ? model.text(id, column) : value;
}

/** What of a head was typed, or typed anew, after it was sent. */
export function unsent<T extends object>(typed: T, sent: T): T {
  const kept = Object.entries(typed).filter(([name, value]) => sent[name as keyof T] !== value);
  return Object.fromEntries(kept) as T;
}
