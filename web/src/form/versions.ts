/** A field two users changed, as texts. */
export interface Version {
  label: string;
  mine: string;
  theirs: string;
}

/** The labelled fields whose values differ; lists are joined with commas, nothing is «–». */
export function compare<K extends string>(
  labels: Readonly<Record<K, string>>,
  mine: { readonly [Name in NoInfer<K>]?: unknown },
  theirs: { readonly [Name in NoInfer<K>]?: unknown },
): Version[] {
  return (Object.keys(labels) as K[]).flatMap((name) => {
    const [my, their] = [shown(mine[name]), shown(theirs[name])];
    return my === their ? [] : [{ label: labels[name], mine: my, theirs: their }];
  });
}

function shown(value: unknown): string {
  if (value === true) return 'Yes';
  if (value === false) return 'No';
  if (Array.isArray(value)) return value.map(shown).join(', ') || '–';
  return value === null || value === undefined || value === '' ? '–' : String(value);
}
