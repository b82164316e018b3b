import { Button } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { RefSelect } from '#/form/FieldInput';
import { day, money, plural, qty } from '#/ui/format';
import { Panel } from '#/ui/Page';
import type { Resolution } from './api';
import styles from './page.module.css';
import classes from './Resolve.module.css';
import type { UnknownItem, UnknownStore } from './types';

/** '' leaves a name as it is, `new` makes a record of it, `other` chooses from all, else an id. */
type Choice = string;

interface StoresProps {
  stores: readonly UnknownStore[];
  readOnly?: boolean;
  onResolve(stores: Resolution['stores']): Promise<void>;
}

/** Names of stores; each must be told before its sales can be posted. */
export function ResolveStores({ stores, readOnly, onResolve }: StoresProps) {
  const form = useChoices(stores.map(({ name, suggestion }) => [name, suggestion?.storeId ?? '']));
  const decided = stores.filter(({ name }) => form.idOf(name));

  return (
    <Panel
      title={`Which stores are meant? ${plural(stores.length, 'name')} unknown`}
      aside={
        !readOnly && (
          <div className={classes.actions}>
            <Button size="xs" variant="default" onClick={() => form.all('new')}>
              Make all new
            </Button>
            <Button
              size="xs"
              loading={form.busy}
              disabled={decided.length === 0}
              onClick={() =>
                void form.run(() =>
                  onResolve(
                    decided.map(({ name }) => {
                      const id = form.idOf(name);
                      return id === 'new' ? { name, create: true } : { name, storeId: id };
                    }),
                  ),
                )
              }
            >
              Use {plural(decided.length, 'choice')}
            </Button>
          </div>
        )
      }
    >
      {form.error && (
        <p role="alert" className={styles.error}>
          {form.error}
        </p>
      )}
      <ul className={classes.list}>
        {stores.map(({ name, code, lines, net, first, last, suggestion }) => (
          <li key={name} className={classes.line}>
            <span className={classes.name}>
              <strong>{name || '(no name)'}</strong>
              <span>
                {code && code !== name && `Code ${code} · `}
                {plural(lines, 'line')}, {money(net)}, {day(first)} – {day(last)}
              </span>
            </span>
            <Chooser
              name={name}
              of="stores"
              what="store"
              choice={form.choice(name)}
              other={form.other(name)}
              suggestion={suggestion && { id: suggestion.storeId, name: suggestion.name }}
              leave="Choose…"
              readOnly={readOnly}
              onChoice={(choice) => form.set(name, choice)}
              onOther={(id) => form.setOther(name, id)}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface ItemsProps {
  items: readonly UnknownItem[];
  message: string;
  readOnly?: boolean;
  onResolve(items: Resolution['items']): Promise<void>;
}

/** Items that no POS item is known for; they may stay so. */
export function ResolveItems({ items, message, readOnly, onResolve }: ItemsProps) {
  const form = useChoices(items.map(({ key, suggestion }) => [key, suggestion?.posItemId ?? '']));
  const decided = items.filter(({ key }) => form.idOf(key));

  return (
    <Panel
      title={message}
      aside={
        !readOnly && (
          <div className={classes.actions}>
            <Button size="xs" variant="default" onClick={() => form.all('new')}>
              Make all new
            </Button>
            <Button size="xs" variant="default" onClick={() => form.all('')}>
              Leave all
            </Button>
            <Button
              size="xs"
              loading={form.busy}
              disabled={decided.length === 0}
              onClick={() =>
                void form.run(() =>
                  onResolve(
                    decided.map(({ key }) => {
                      const id = form.idOf(key);
                      return id === 'new' ? { key, create: true } : { key, posItemId: id };
                    }),
                  ),
                )
              }
            >
              Map {plural(decided.length, 'item')}
            </Button>
          </div>
        )
      }
    >
      {form.error && (
        <p role="alert" className={styles.error}>
          {form.error}
        </p>
      )}
      <ul className={classes.list} data-long={items.length > 8 || undefined}>
        {items.map(({ key, name, code, lines, qty: sold, net, suggestion }) => (
          <li key={key} className={classes.line}>
            <span className={classes.name}>
              <strong>{name}</strong>
              <span>
                {code && code !== name && `Code ${code} · `}
                {plural(lines, 'line')}, {qty(sold)} sold{net ? `, ${money(net)}` : ''}
              </span>
            </span>
            <Chooser
              name={named(name, code)}
              of="pos-items"
              what="POS item"
              choice={form.choice(key)}
              other={form.other(key)}
              suggestion={suggestion && { id: suggestion.posItemId, name: suggestion.name }}
              leave="Leave unmapped"
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

/** Two items of one name are told apart by their codes. */
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
      {/* A native list: there may be hundreds of them on the screen. */}
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
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const usual = new Map(initial);
  const choice = (key: string): Choice => choices[key] ?? usual.get(key) ?? '';

  return {
    busy,
    error,
    choice,
    other: (key: string) => others[key] ?? null,
    /** The decision made; empty while there is none. */
    idOf: (key: string): string => (choice(key) === 'other' ? (others[key] ?? '') : choice(key)),
    set: (key: string, value: Choice) => setChoices((now) => ({ ...now, [key]: value })),
    setOther: (key: string, id: string | null) => setOthers((now) => ({ ...now, [key]: id })),
    all: (value: Choice) => setChoices(Object.fromEntries(initial.map(([key]) => [key, value]))),
    async run(work: () => Promise<void>): Promise<void> {
      setBusy(true);
      setError(null);
      try {
        await work();
      } catch (problem) {
        setError(Problem.of(problem).message);
      } finally {
        setBusy(false);
      }
    },
  };
}
