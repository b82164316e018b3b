import { Segments } from '#/ui/Segments';

/** The chosen values besides range and stores, by choice. */
export type Chosen = Readonly<Record<string, string>>;

/** One choice of a report, stored in the address by its name. */
export interface Choice<V extends string, C extends Chosen> {
  label: string;
  /** The first is the default. */
  options: readonly { value: V; label: string }[];
  /** Whether it is sent to the server, always or only for exports; otherwise the page uses it alone. */
  asked?: 'always' | 'file';
  /** Offered only if true. */
  when?(chosen: C): boolean;
  /** Parameters that lose their meaning when this changes. */
  clears?: readonly string[];
}

export type Choices<C extends Chosen> = { readonly [K in keyof C]: Choice<C[K], C> };

/** The chosen values in the address; the first option if missing or invalid. */
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

/** The chosen values to send to the server. */
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
