// Saves what is typed in fields before a page goes away.

type Commit = () => unknown;

const commits = new Set<Commit>();

/** Registers a function that saves a screen's typed values; returns the function that unregisters it. */
export function onCommit(commit: Commit): () => void {
  commits.add(commit);
  return () => commits.delete(commit);
}

/** Blurs the focused field and waits until every registered function has saved. */
export async function commitInputs(): Promise<void> {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  await Promise.allSettled([...commits].map((commit) => commit()));
}
