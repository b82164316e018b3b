import { compare } from './filter';

export interface Branch {
  depth: number;
  children: number;
  open: boolean;
}

export interface Tree<T> {
  id(row: T): string;
  parent(row: T): string | null | undefined;
  name(row: T): string;
  /** The position among siblings; those without one are sorted by name. */
  position?(row: T): number;
}

/**
 * Rows in tree order, parents before children and siblings by position and name, without those
 * under a closed branch. A row whose parent is missing, or is its own descendant, counts as a root.
 */
export function asTree<T>(
  rows: readonly T[],
  tree: Tree<T>,
  closed: ReadonlySet<string>,
): { rows: T[]; branches: Map<string, Branch> } {
  const below = siblings(rows, tree);
  const out: T[] = [];
  const branches = new Map<string, Branch>();
  const walk = (parent: string | null, depth: number) => {
    for (const row of below.get(parent) ?? []) {
      const id = tree.id(row);
      const open = !closed.has(id);
      branches.set(id, { depth, children: below.get(id)?.length ?? 0, open });
      out.push(row);
      if (open) walk(id, depth + 1);
    }
  };
  walk(null, 0);
  return { rows: out, branches };
}

/** The children of each row in order; those of null are the roots. */
export function siblings<T>(rows: readonly T[], tree: Tree<T>): Map<string | null, T[]> {
  const known = new Map(rows.map((row) => [tree.id(row), row]));
  const below = new Map<string | null, T[]>();
  for (const row of rows) {
    const parent = tree.parent(row);
    const under = parent && known.has(parent) && !loops(row, tree, known) ? parent : null;
    const list = below.get(under);
    if (list) list.push(row);
    else below.set(under, [row]);
  }
  for (const list of below.values()) {
    list.sort(
      (a, b) =>
        (tree.position?.(a) ?? 0) - (tree.position?.(b) ?? 0) ||
        compare(tree.name(a), tree.name(b)),
    );
  }
  return below;
}

function loops<T>(row: T, tree: Tree<T>, known: ReadonlyMap<string, T>): boolean {
  const start = tree.id(row);
  const seen = new Set([start]);
  let at = tree.parent(row);
  while (at) {
    if (at === start) return true;
    if (seen.has(at)) return false;
    seen.add(at);
    const next = known.get(at);
    at = next && tree.parent(next);
  }
  return false;
}

/** The rows and all their ancestors, so that a match is shown in its place in the tree. */
export function withAncestors<T>(found: readonly T[], all: readonly T[], tree: Tree<T>): T[] {
  const known = new Map(all.map((row) => [tree.id(row), row]));
  const keep = new Set(found.map(tree.id));
  for (const row of found) {
    let at = tree.parent(row);
    while (at && !keep.has(at)) {
      keep.add(at);
      const next = known.get(at);
      at = next && tree.parent(next);
    }
  }
  return all.filter((row) => keep.has(tree.id(row)));
}
