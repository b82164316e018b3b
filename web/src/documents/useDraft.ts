import { useMemo, useState } from 'react';
import { useSave } from '#/form/useSave';
import { useGridModel, useStamp } from '#/grid/EntryGrid';
import { GridModel } from '#/grid/model';
import { numberOf } from '#/ui/numberInput';
import { documentApi, documentChanged } from './api';
import type { DocumentDef, DocumentHead, DocumentLine } from './types';

interface Sent {
  lines: object[];
  /** The grid's row of each line, for its faults. */
  ids: string[];
}

type Lines<L> =
  | {
      /** A line as it is saved, with what was typed into the grid. */
      lineOf(line: L, model: GridModel): object;
      linesOf?: undefined;
    }
  | {
      /** All lines as they are saved, where the grid has other rows than the document. */
      linesOf(model: GridModel): Sent;
    };

type Options<L> = Lines<L> & {
  /** The head as it is saved, of the fields that were typed. */
  headOf?(typed: Record<string, unknown>): object;
  /** The grid's column in which a fault of this field is shown. */
  columnOf?(field: string): string;
};

type WithLines<H, L> = H & { lines: L[] };

/** What is typed into a document and not saved yet: cells of its lines, fields of its head. */
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

  /** Saves what was typed; `change` adds lines to those of the document or takes some out. */
  async function save(change?: (lines: object[]) => object[]): Promise<D | null> {
    if (!dirty && !change) return document;
    const settle = model.sending();
    const { lines: typed, ids } = typedLines();
    setSent(ids);
    const lines = change ? change(typed) : typed;
    const changed = { ...headOf(head), ...(model.dirty || change ? { lines } : {}) };
    return saving.run(
      () => documentApi<H, D>(def.base).update(document.id, document.revision, changed),
      {
        onSaved: (now) => {
          documentChanged(def, now);
          settle();
          setHead((typed) => unsent(typed, head));
        },
        refused: ({ code, extras }) => {
          // What was typed stays; what somebody else saved meanwhile comes in below it.
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
    /** Takes what was typed into a field of the head; undefined forgets it. */
    setField: (name: string, value: unknown) =>
      setHead(({ [name]: _, ...others }) =>
        value === undefined ? others : { ...others, [name]: value },
      ),
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

/** A temperature of a head as it is sent, if one was typed: a number, or the text the server is to refuse. */
export function degrees(name: string, typed: unknown): object {
  return typeof typed === 'string' ? { [name]: numberOf(typed, 'factor') ?? typed } : {};
}
