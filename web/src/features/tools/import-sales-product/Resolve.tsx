import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { RefSelect } from '#/form/FieldInput';
import { useSave } from '#/form/useSave';
import { DOT, day, money, plural, qty } from '#/ui/format';
import { Panel } from '#/ui/Page';
import type { Resolution } from './api';
import styles from './page.module.css';
import classes from './Resolve.module.css';
import type { UnknownItem, UnknownStore } from './types';

/** '' leaves a name unmapped, `new` creates its record, `other` chooses from all, else an id. */
type Choice = string;

interface StoresProps {
  stores: readonly UnknownStore[];
  readOnly?: boolean;
  /** Receives the button's label while choices on screen are not used yet, and null without any. */
  onWaiting?(button: string | null): void;
  onResolve(stores: Resolution['stores']): Promise<void>;
}

/** Store names; each must be mapped before its sales can be posted. */
export function ResolveStores({ stores, readOnly, onWaiting, onResolve }: StoresProps) {
  return (
    <ResolveNames
      title={`Which stores are meant? ${plural(stores.length, 'name')} unknown`}
      use={(n) => (n > 0 ? `Use ${plural(n, 'choice')}` : 'Use choices')}
      onWaiting={onWaiting}
      of="stores"
      one="store"
      leave="Choose…"
      readOnly={readOnly}
      names={stores.map(({ name, code, codeOf, lines, net, first, last, suggestion }) => ({
        key: name,
        shown: name || '(no name)',
        called: name,
        code: code !== name ? code : null,
        codeOf,
        facts: `${plural(lines, 'line')}, ${money(net)}, ${period(first, last)}`,
        suggestion: suggestion && { id: suggestion.storeId, name: suggestion.name },
      }))}
      onResolve={(choices) =>
        onResolve(
          choices.map(({ key, id }) =>
            id === null ? { name: key, create: true } : { name: key, storeId: id },
          ),
        )
      }
    />
  );
}

interface ItemsProps {
  items: readonly UnknownItem[];
  message: string;
  /** The items are root items; unknown ones cannot be posted. */
  roots?: boolean;
  readOnly?: boolean;
  /** As of stores. */
  onWaiting?(button: string | null): void;
  onResolve(items: Resolution['items']): Promise<void>;
}

/** Items without a POS item; they may stay unmapped. */
export function ResolveItems(props: ItemsProps) {
  const { items, message, roots, readOnly, onWaiting, onResolve } = props;
  return (
    <ResolveNames
      title={message}
      use={(n) => (n > 0 ? `Map ${plural(n, 'item')}` : 'Map items')}
      onWaiting={onWaiting}
      of={roots ? 'root-items' : 'pos-items'}
      one={roots ? 'root item' : 'POS item'}
      leave={roots ? 'Choose…' : 'Leave unmapped'}
      leaveAll={!roots}
      long={items.length > 8}
      readOnly={readOnly}
      names={items.map(({ key, name, code, lines, qty: sold, net, suggestion }) => ({
        key,
        shown: name,
        called: named(name, code),
        code: code !== name ? code : null,
        facts: `${plural(lines, 'line')}, ${qty(sold)} ${roots ? 'in all' : 'sold'}${net ? `, ${money(net)}` : ''}`,
        suggestion: suggestion && {
          id: suggestion.posItemId,
          name: suggestion.about ? `As ${suggestion.name}` : suggestion.name,
        },
        about: suggestion?.about,
      }))}
      onResolve={(choices) =>
        onResolve(
          choices.map(({ key, id }) =>
            id === null ? { key, create: true } : { key, posItemId: id },
          ),
        )
      }
    />
  );
}

interface Name {
  key: string;
  /** Its text in the list. */
  shown: string;
  /** Its name in the question. */
  called: string;
  code?: string | null;
  /** The store whose code the name is; it is not made new with the others. */
  codeOf?: string | null;
  facts: string;
  suggestion?: { id: string; name: string } | null;
  /** Why it is suggested. */
  about?: string | null;
}

interface NamesProps {
  title: string;
  /** The button's label for `decided` names. */
  use(decided: number): string;
  /** The list to choose from. */
  of: string;
  one: string;
  /** The meaning of no choice. */
  leave: string;
  /** Whether all may be left unmapped at once. */
  leaveAll?: boolean;
  long?: boolean;
  names: readonly Name[];
  readOnly?: boolean;
  onWaiting?(button: string | null): void;
  /** Each decided name's id; null for a new record. */
  onResolve(choices: { key: string; id: string | null }[]): Promise<void>;
}

/** Unknown names of a file, each with a choice of records. */
function ResolveNames(props: NamesProps) {
  const { names, of, one, leave, readOnly } = props;
  const form = useChoices(
    names.map(({ key, suggestion }) => [key, suggestion ? suggestion.id : '']),
  );
  const codes = names.filter(({ codeOf }) => codeOf);
  const decided = names.filter(({ key }) => form.idOf(key));
  const button = props.use(decided.length);
  const waiting = decided.length > 0 ? button : null;
  const tell = useEffectEvent((words: string | null) => props.onWaiting?.(words));
  useEffect(() => {
    tell(waiting);
    return () => tell(null);
  }, [waiting]);
  const resolve = () =>
    props.onResolve(
      decided.map(({ key }) => ({ key, id: form.idOf(key) === 'new' ? null : form.idOf(key) })),
    );

  return (
    <Panel
      title={props.title}
      aside={
        !readOnly && (
          <div className={classes.actions}>
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                form.all(
                  'new',
                  codes.map(({ key }) => key),
                )
              }
            >
              Make all new
            </Button>
            {props.leaveAll && (
              <Button size="xs" variant="default" onClick={() => form.all('')}>
                Leave all
              </Button>
            )}
            <Button
              size="xs"
              loading={form.busy}
              disabled={decided.length === 0}
              onClick={() => void form.run(resolve)}
            >
              {button}
            </Button>
          </div>
        )
      }
    >
      {form.problem && (
        <p role="alert" className={styles.error}>
          {form.problem.message}
        </p>
      )}
      {codes.length > 0 && <p className={classes.note}>{codesLeft(codes)}</p>}
      <ul className={classes.list} data-long={props.long || undefined}>
        {names.map(({ key, shown, called, code, facts, suggestion, about }) => (
          <li key={key} className={classes.line}>
            <span className={classes.name}>
              <strong>{shown}</strong>
              <span>
                {code && `Code ${code} · `}
                {facts}
                {about && `${DOT}${about}`}
              </span>
            </span>
            <Chooser
              name={called}
              of={of}
              what={one}
              choice={form.choice(key)}
              other={form.other(key)}
              suggestion={suggestion}
              leave={leave}
              readOnly={readOnly}
              onChoice={(choice) => form.set(key, choice)}
              onOther={(id) => form.setOther(key, id)}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const period = (first: string | null | undefined, last: string | null | undefined) =>
  first === last ? day(first) : `${day(first)} – ${day(last)}`;

/** Names that are codes of stores, which «Make all new» leaves out. */
function codesLeft(codes: readonly Name[]): string {
  const some = codes.slice(0, 5).map(({ shown, codeOf }) => `${shown} of ${codeOf}`);
  if (codes.length > some.length) some.push('…');
  const all = plural(codes.length, 'name is the code of a store', 'names are codes of stores');
  return `${all}: ${some.join(', ')}. “Make all new” leaves ${codes.length === 1 ? 'it' : 'them'} out.`;
}

/** Items with the same name are told apart by their codes. */
const named = (name: string, code?: string | null) =>
  code && code !== name ? `${name} · ${code}` : name;

interface ChooserProps {
  name: string;
  of: string;
  what: string;
  choice: Choice;
  other: string | null;
  suggestion?: { id: string; name: string } | null;
  leave: string;
  readOnly?: boolean;
  onChoice(choice: Choice): void;
  onOther(id: string | null): void;
}

function Chooser(props: ChooserProps) {
  const { name, of, what, choice, other, suggestion, leave, readOnly } = props;
  return (
    <span className={classes.chooser}>
      {/* A native select: there may be hundreds of them on the screen. */}
      <select
        className={classes.select}
        aria-label={`What “${name}” stands for`}
        value={choice}
        disabled={readOnly}
        data-set={choice ? true : undefined}
        onChange={(event) => props.onChoice(event.currentTarget.value)}
      >
        <option value="">{leave}</option>
        {suggestion && <option value={suggestion.id}>{suggestion.name} (suggested)</option>}
        <option value="new">
          New {what} “{name}”
        </option>
        <option value="other">Another {what}…</option>
      </select>
      {choice === 'other' && (
        <RefSelect
          label={`The ${what} meant by “${name}”`}
          of={of}
          value={other}
          set={props.onOther}
        />
      )}
    </span>
  );
}

function useChoices(initial: readonly (readonly [string, Choice])[]) {
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const [others, setOthers] = useState<Record<string, string | null>>({});
  const { busy, problem, run } = useSave();
  const usual = new Map(initial);
  const choice = (key: string): Choice => choices[key] ?? usual.get(key) ?? '';

  return {
    busy,
    problem,
    choice,
    other: (key: string) => others[key] ?? null,
    /** The decision; empty if none. */
    idOf: (key: string): string => (choice(key) === 'other' ? (others[key] ?? '') : choice(key)),
    set: (key: string, value: Choice) => setChoices((now) => ({ ...now, [key]: value })),
    setOther: (key: string, id: string | null) => setOthers((now) => ({ ...now, [key]: id })),
    /** Decides all but some alike. */
    all: (value: Choice, except: readonly string[] = []) =>
      setChoices((now) => {
        const rest = initial.filter(([key]) => !except.includes(key));
        return { ...now, ...Object.fromEntries(rest.map(([key]) => [key, value])) };
      }),
    run,
  };
}
