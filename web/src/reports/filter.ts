import { matching } from '#/table/filter';

interface Named {
  name: string;
  kind: string | null;
}

/** Rows whose name or kind contains every typed word. */
export function matchingNames<R extends Named>(rows: readonly R[], q: string): readonly R[] {
  return matching(
    rows,
    [{ id: 'name', label: '', value: ({ name, kind }: R) => `${name} ${kind ?? ''}` }],
    q,
  );
}
