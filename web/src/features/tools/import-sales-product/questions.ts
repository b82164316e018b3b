// Questions about a file: which are open, and what a choice changes.
import type { Answers, Ask, Choice, Field, Layout, Mapping, Summary } from './types';

/** The chosen answer, once a user has given one. */
export const chosenOf = (ask: Ask, answers: Answers): Choice | undefined =>
  ask.choices.find(({ id }) => id === answers[ask.id]);

/** The questions nobody has answered. */
export const openAsks = (asks: readonly Ask[], answers: Answers): Ask[] =>
  asks.filter((ask) => !chosenOf(ask, answers));

/** The questions of the mapping step. Which column is the net amount is settled once one is chosen by hand. */
export function layoutAsks(layout: Layout, mapping: Mapping): Ask[] {
  const { net, unitPrice } = mapping.columns;
  const settled = (net !== undefined || unitPrice !== undefined) && !mapping.answers?.amount;
  return (layout.asks ?? []).filter(({ id }) => id !== 'amount' || !settled);
}

/**
 * The questions of the review: those of the check with its newest sums, those that a refused posting named, and those
 * answered on this visit, so that an answer can be seen and changed. Questions seen before keep their place.
 */
export function reviewAsks(
  checked: readonly Ask[],
  refused: readonly Ask[],
  seen: readonly Ask[],
  visit: Answers,
): Ask[] {
  const now = new Map([...refused, ...checked].map((ask) => [ask.id, ask]));
  const kept = seen.filter(({ id }) => now.has(id) || visit[id]);
  const known = new Set(kept.map(({ id }) => id));
  const fresh = [...now.values()].filter(({ id }) => !known.has(id));
  return [...kept.map((ask) => now.get(ask.id) ?? ask), ...fresh];
}

/**
 * The next open question after one, from the start again after the last; null if there is no other. With `from` null, the
 * first open one.
 */
export function nextOpen(
  asks: readonly Ask[],
  answers: Answers,
  from: string | null,
): string | null {
  const at = asks.findIndex(({ id }) => id === from);
  const order = [...asks.slice(at + 1), ...asks.slice(0, Math.max(at, 0))];
  return openAsks(order, answers)[0]?.id ?? null;
}

/** The place, from 0, that a number key chooses; null for other keys. */
export const placeOfKey = (key: string): number | null =>
  /^[1-9]$/.test(key) ? Number(key) - 1 : null;

export interface Difference {
  lines: number;
  qty: number;
  net: number;
}

/** How a choice's sums differ from the chosen one's, or the suggested one's; null if they are the same or it is that one. */
export function differenceOf(ask: Ask, choice: Choice, answers: Answers): Difference | null {
  const base = chosenOf(ask, answers) ?? ask.choices[0];
  if (!base || base.id === choice.id) return null;
  const difference = {
    lines: choice.lines - base.lines,
    qty: rounded(choice.qty - base.qty, 1e6),
    net: rounded(choice.net - base.net, 100),
  };
  return difference.lines || difference.qty || difference.net ? difference : null;
}

/** Without the noise of binary fractions. */
export const rounded = (value: number, parts: number) => Math.round(value * parts) / parts;

/** The mapping with a choice recorded and applied, so that the columns on screen show it. */
export function answered(mapping: Mapping, ask: Ask, choice: Choice): Mapping {
  const { columns, ...rest } = choice.set as { columns?: Record<string, number | null> };
  const next: Mapping['columns'] = { ...mapping.columns };
  for (const [field, at] of Object.entries(columns ?? {})) {
    for (const [other, used] of Object.entries(next)) {
      if (used === at) delete next[other as Field];
    }
    if (at === null) delete next[field as Field];
    else next[field as Field] = at;
  }
  const merged: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    const before = mapping[name as keyof Mapping];
    merged[name] = isObject(value) && isObject(before) ? { ...before, ...value } : value;
  }
  return {
    ...mapping,
    ...(merged as Partial<Mapping>),
    columns: next,
    answers: { ...mapping.answers, [ask.id]: choice.id },
  };
}

/**
 * The mapping after a change by hand: an answer it contradicts becomes the choice it agrees with, or is open again.
 * Otherwise the server would apply the answer over the change.
 */
export function reconciled(mapping: Mapping, layout: Layout): Mapping {
  const answers: Record<string, string> = { ...mapping.answers };
  for (const ask of layout.asks ?? []) {
    const chosen = chosenOf(ask, answers);
    if (!chosen || agrees(mapping, chosen)) continue;
    const other = ask.choices.find((choice) => agrees(mapping, choice));
    if (other) answers[ask.id] = other.id;
    else delete answers[ask.id];
  }
  return { ...mapping, answers };
}

/** Whether the mapping has all that a choice sets. */
function agrees(mapping: Mapping, { set }: Choice): boolean {
  return contains(mapping as unknown as Record<string, unknown>, set as Record<string, unknown>);
}

function contains(all: Record<string, unknown>, part: Record<string, unknown>): boolean {
  return Object.entries(part).every(([name, value]) => {
    const has = all[name];
    if (isObject(value)) return contains(isObject(has) ? has : {}, value);
    return JSON.stringify(has ?? null) === JSON.stringify(value ?? null);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The lines that count: those that a status strikes off are kept with their receipt, and count nothing. */
export function countedLines({ goodLines, leftOut }: Summary): number {
  const struck = (leftOut ?? []).filter(
    ({ reason }) => reason === 'void' || reason === 'unknownWord',
  );
  return struck.reduce((lines, sum) => lines - sum.rows, goodLines);
}
