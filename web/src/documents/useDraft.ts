import { useMemo, useState } from 'react';
import { useSave } from '#/form/useSave';
import { useGridModel, useStamp } from '#/grid/EntryGrid';
import { GridModel } from '#/grid/model';
import { numberOf } from '#/ui/numberInput';
import { documentApi, documentChanged } from './api';
import type { DocumentDef, DocumentHead, DocumentLine } from './types';

interface Sent {
  lines: object[];
  /** The grid row of each line, for its errors. */
  ids: string[];
}

type Lines<L> =
  | {
      /** A line to save, with the grid's typed values. */
      lineOf(line: L, model: GridModel): object;
      linesOf?: undefined;
    }
  | {
      /** All lines to save, if the grid's rows differ from the document's. */
      linesOf(model: GridModel): Sent;
    };

type Options<L> = Lines<L> & {
  /** The head to save, of the typed fields. */
  headOf?(typed: Record<string, unknown>): object;
  /** The grid column that shows this field's error. */
  columnOf?(field: string): string;
};

type WithLines<H, L> = H & { lines: L[] };

/** Unsaved input of a document: cells of its lines, fields of its head. */
export function useDraft<H extends DocumentHead, L extends DocumentLine>(
  def: DocumentDef<H>,
  document: WithLines<H, L>,
  options: Options<L>,
) {
  type D = WithLines<H, L>;
  const { headOf = (typed) => typed, columnOf = (field) => field } = options;
  const model = useGridModel(() => new GridModel());
  useStamp(model);
  const [head, setHead] = useState<Record<string, unknown>>({});
  const saving = useSave();
  const { problem, setProblem } = saving;
  const [sent, setSent] = useState<readonly string[]>([]);
  const dirty = model.dirty || Object.keys(head).length > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: of the lines as they were sent
  const errors = useMemo(() => {
    const found = new Map<string, string>();
    const rows = options.linesOf ? sent : document.lines.map(({ id }) => id);
    for (const { field, message } of problem?.fields ?? []) {
      const [, at, name] = field.match(/^lines\.(\d+)\.(\w+)$/) ?? [];
      const row = at === undefined ? undefined : rows[Number(at)];
      if (row && name) found.set(`${row}/${columnOf(name)}`, message);
    }
    return found;
  }, [problem, sent]);

  function typedLines(): Sent {
    if (options.linesOf) return options.linesOf(model);
    const { lineOf } = options;
    return {
      lines: document.lines.map((line) => lineOf(line, model)),
      ids: document.lines.map(({ id }) => id),
    };
  }

  /** Saves what was typed; `change` adds or removes lines, `fields` are set in the head before. */
  async function save(
    change?: (lines: object[]) => object[],
    fields: Record<string, unknown> = {},
  ): Promise<D | null> {
    const sentHead = { ...head, ...fields };
    if (!model.dirty && Object.keys(sentHead).length === 0 && !change) return document;
    setHead((typed) => ({ ...typed, ...fields }));
    const settle = model.sending();
    const { lines: typed, ids } = typedLines();
    setSent(ids);
    const lines = change ? change(typed) : typed;
    const changed = { ...headOf(sentHead), ...(model.dirty || change ? { lines } : {}) };
    return saving.run(
      () => documentApi<H, D>(def.base).update(document.id, document.revision, changed),
      {
        onSaved: (now) => {
          documentChanged(def, now);
          settle();
          setHead((typed) => unsent(typed, sentHead));
        },
        refused: ({ code, extras }) => {
          // What was typed stays, on top of what another user saved meanwhile.
          if (code === 'stale') documentChanged(def, extras.current as D);
        },
      },
    );
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
    saving: saving.busy,
    dirty,
    errors,
    save,
    forget,
    setProblem,
    /** Sets a typed field of the head; undefined resets it. */
    setField: (name: string, value: unknown) =>
      setHead(({ [name]: _, ...others }) =>
        value === undefined ? others : { ...others, [name]: value },
      ),
    errorOf: (name: string) => problem?.fields.find(({ field }) => field === name)?.message ?? null,
  };
}

/** The typed value of a number cell: a number, or the text for the server to refuse. */
export function typedNumber(model: GridModel, id: string, column: string, saved: number | null) {
  const value = model.number(id, column, saved);
  return Number.isNaN(value) ? model.text(id, column) : value;
}

/** The head fields typed or changed since it was sent. */
export function unsent<T extends object>(typed: T, sent: T): T {
  const kept = Object.entries(typed).filter(([name, value]) => sent[name as keyof T] !== value);
  return Object.fromEntries(kept) as T;
}

/** A typed temperature of the head: a number, or the text for the server to refuse. */
export function degrees(name: string, typed: unknown): object {
  return typeof typed === 'string' ? { [name]: numberOf(typed, 'factor') ?? typed } : {};
}
