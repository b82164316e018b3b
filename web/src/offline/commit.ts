// Before a page goes away, whatever stands typed in a field is written down.

type Commit = () => unknown;

const commits = new Set<Commit>();

/** Names what writes a screen's typed values down; until the returned function is called. */
export function onCommit(commit: Commit): () => void {
  commits.add(commit);
  return () => commits.delete(commit);
}

/** Leaves the field that is being typed in, and waits until everything typed is written. */
export async function commitInputs(): Promise<void> {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  await Promise.allSettled([...commits].map((commit) => commit()));
}
