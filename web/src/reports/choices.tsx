import { Segments } from '#/ui/Segments';

/** What is chosen beside range and stores: a word for each choice. */
export type Chosen = Readonly<Record<string, string>>;

/** One choice of a report; it stands in the address by its name. */
export interface Choice<V extends string, C extends Chosen> {
  label: string;
  /** The first is what is meant where the address says nothing. */
  options: readonly { value: V; label: string }[];
  /** Whether the server is told, with every question or only for a file; else it is of the page alone. */
  asked?: 'always' | 'file';
  /** Offered only then. */
  when?(chosen: C): boolean;
  /** What loses its meaning in the address when this changes. */
  clears?: readonly string[];
}

export type Choices<C extends Chosen> = { readonly [K in keyof C]: Choice<C[K], C> };

/** What the address says; the first option where it says nothing, or nonsense. */
export function readChosen<C extends Chosen>(
  choices: Choices<C>,
  get: (name: string) => string,
): C {
  const chosen: Record<string, string> = {};
  for (const [name, { options, when }] of entries(choices)) {
    const said = options.find(({ value }) => value === get(name));
    const offered = !when || when(chosen as C);
    chosen[name] = ((offered && said) || options[0])?.value ?? '';
  }
  return chosen as C;
}

/** What the server is told of it. */
export function askedOf<C extends Chosen>(choices: Choices<C>, chosen: C, inFile: boolean): Chosen {
  const told = entries(choices).filter(([, { asked }]) => asked && (inFile || asked === 'always'));
  return Object.fromEntries(told.map(([name]) => [name, chosen[name] ?? '']));
}

interface Props<C extends Chosen> {
  choices: Choices<C>;
  chosen: C;
  set(values: Record<string, string | null>): void;
}

export function ChoiceSegments<C extends Chosen>({ choices, chosen, set }: Props<C>) {
  return entries(choices)
    .filter(([, { when }]) => !when || when(chosen))
    .map(([name, { label, options, clears = [] }]) => (
      <Segments<string>
        key={name}
        label={label}
        value={chosen[name] ?? ''}
        options={[...options]}
        onChange={(next) =>
          set({
            ...Object.fromEntries(clears.map((one) => [one, null])),
            [name]: next === options[0]?.value ? null : next,
          })
        }
      />
    ));
}

const entries = <C extends Chosen>(choices: Choices<C>) =>
  Object.entries(choices) as [string, Choice<string, C>][];
