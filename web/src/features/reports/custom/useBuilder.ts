import { useMemo } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useDatasets, useSaved } from './api';
import { begin, readDefinition, same, whole, writeDefinition } from './definition';
import type { Definition } from './types';

/** The search parameter of the definition. */
export const IN_ADDRESS = 'd';

/** The builder's state: the saved definition and its changes. The address holds every change. */
export function useBuilder() {
  const { id = null } = useParams();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const datasets = useDatasets();
  const saved = useSaved(id);
  const text = search.get(IN_ADDRESS);
  const kept = useMemo(() => whole(saved.data?.definition), [saved.data]);
  const first = datasets.data?.items[0];
  const definition = useMemo(
    (): Definition | null =>
      readDefinition(text) ?? kept ?? (id === null && first ? begin(first) : null),
    [text, kept, id, first],
  );
  const dataset = datasets.data?.items.find(({ key }) => key === definition?.dataset);

  function set(next: Definition): void {
    const query = new URLSearchParams(search);
    if (kept && same(kept, next)) query.delete(IN_ADDRESS);
    else query.set(IN_ADDRESS, writeDefinition(next));
    void navigate({ search: query.toString() }, { replace: true, preventScrollReset: true });
  }

  return {
    id,
    datasets,
    saved,
    dataset,
    definition,
    set,
    /** Whether the shown definition differs from the saved one. */
    changed: definition !== null && (kept === null || !same(kept, definition)),
  };
}

export type Builder = ReturnType<typeof useBuilder>;
