// Maps columns of a file to meanings, one to one.

export type Columns<F extends string> = Partial<Record<F, number>>;

/** The columns as the file's layout suggests them; the first of two with the same meaning. */
export function suggestedColumns<F extends string>(
  columns: readonly { index: number; suggested?: F | null }[],
): Columns<F> {
  const chosen: Columns<F> = {};
  for (const { index, suggested } of columns) {
    if (suggested && chosen[suggested] === undefined) chosen[suggested] = index;
  }
  return chosen;
}

/** The meaning of a column. */
export function meaningOf<F extends string>(columns: Columns<F>, index: number): F | null {
  const found = Object.entries(columns).find(([, at]) => at === index);
  return (found?.[0] as F | undefined) ?? null;
}

/** The columns after one of them got another meaning. */
export function withMeaning<F extends string>(
  columns: Columns<F>,
  index: number,
  meaning: F | null,
): Columns<F> {
  const kept = (Object.entries(columns) as [F, number][]).filter(
    ([name, at]) => at !== index && name !== meaning,
  );
  const next = Object.fromEntries(kept) as Columns<F>;
  if (meaning) next[meaning] = index;
  return next;
}
