import { TextInput } from '@mantine/core';
import { IconLock, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { fold } from '#/table/filter';
import { count } from '#/ui/format';
import { usePhone } from '#/ui/usePhone';
import type { Catalogue } from '../api';
import { ACTIONS, rightOf, toggleRights, verb } from '../rights';
import classes from './Matrix.module.css';

interface Props {
  catalogue: Catalogue;
  rights: ReadonlySet<string>;
  /** The saved rights, to mark changes. */
  before: ReadonlySet<string>;
  free(right: string): boolean;
  readOnly: boolean;
  onChange(rights: Set<string>): void;
}

const LOCKED = 'You do not hold this right yourself, so you cannot give it.';

/** A table of all rights: pages in rows, actions in columns. */
export function Matrix(props: Props) {
  const { catalogue, rights, free, readOnly, onChange } = props;
  const [typed, setTyped] = useState('');
  const phone = usePhone();
  const shown = useMemo(() => matchingPages(catalogue, typed), [catalogue, typed]);
  const toggle = (names: readonly string[], on: boolean) =>
    onChange(toggleRights(rights, names, on, free));

  const groups = shown.map(({ key, label, pages }) => ({
    key,
    label,
    names: pages.flatMap((page) => page.actions.map((a) => rightOf(key, page.key, a))),
    pages: pages.map((page) => ({
      ...page,
      names: page.actions.map((action) => rightOf(key, page.key, action)),
    })),
  }));
  const all = groups.flatMap(({ names }) => names);
  const used = ACTIONS.filter((action) => all.some((name) => name.endsWith(`:${action}`)));
  const Body = phone ? Cards : Table;

  return (
    <div className={classes.matrix}>
      <div className={classes.bar}>
        <TextInput
          size="xs"
          className={classes.search}
          aria-label="Filter rights"
          placeholder="Filter rights"
          leftSection={<IconSearch size={15} stroke={1.8} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !typed) return;
            event.stopPropagation();
            setTyped('');
          }}
        />
        <span className={`${classes.count} num`} aria-live="polite">
          {count([...rights].filter((name) => all.includes(name)).length)} of {count(all.length)}{' '}
          rights
        </span>
        {!readOnly && (
          <Mixed
            label="All"
            spoken={typed ? 'All rights shown' : 'All rights'}
            names={all}
            {...{ rights, free, toggle }}
          />
        )}
      </div>
      {groups.length === 0 ? (
        <p className={classes.none}>No page or action matches “{typed}”.</p>
      ) : (
        <Body {...props} groups={groups} used={used} all={all} toggle={toggle} />
      )}
    </div>
  );
}

interface Page {
  key: string;
  label: string;
  actions: string[];
  names: string[];
}

interface BodyProps extends Props {
  groups: { key: string; label: string; names: string[]; pages: Page[] }[];
  used: readonly string[];
  all: readonly string[];
  toggle(names: readonly string[], on: boolean): void;
}

function Table({ groups, used, all, toggle, ...props }: BodyProps) {
  const { rights, free, readOnly } = props;
  const common = { rights, free, toggle, readOnly };
  return (
    <div className={classes.scroll}>
      <table className={classes.table} onKeyDown={move}>
        <thead>
          <tr>
            <th scope="col" className={classes.page}>
              Page
            </th>
            {used.map((action) => (
              <th key={action} scope="col">
                <Mixed
                  {...common}
                  under
                  label={verb(action)}
                  spoken={`${verb(action)} everywhere`}
                  names={all.filter((name) => name.endsWith(`:${action}`))}
                />
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ key, label, names, pages }) => (
          <tbody key={key}>
            <tr className={classes.category}>
              <th scope="rowgroup" className={classes.page}>
                <Mixed {...common} label={label} spoken={`Everything in ${label}`} names={names} />
              </th>
              <td colSpan={used.length} className="num">
                {count(names.filter((name) => rights.has(name)).length)} of {count(names.length)}
              </td>
            </tr>
            {pages.map((page) => (
              <tr key={page.key}>
                <th scope="row" className={classes.page}>
                  <Mixed
                    {...common}
                    inner
                    label={page.label}
                    spoken={`Everything on ${page.label}`}
                    names={page.names}
                  />
                </th>
                {used.map((action) => (
                  <td key={action}>
                    {page.actions.includes(action) ? (
                      <Cell
                        {...props}
                        name={rightOf(key, page.key, action)}
                        label={`${verb(action)} ${page.label}, ${label}`}
                        toggle={toggle}
                      />
                    ) : (
                      <span className={classes.blank} aria-hidden />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

/** On a phone: one block per page, its rights below its name. */
function Cards({ groups, toggle, ...props }: BodyProps) {
  const { rights, free, readOnly } = props;
  const common = { rights, free, toggle, readOnly };
  return (
    <div className={classes.cards}>
      {groups.map(({ key, label, names, pages }) => (
        <section key={key}>
          <div className={classes.cardHead}>
            <Mixed {...common} label={label} spoken={`Everything in ${label}`} names={names} />
            <span className="num">
              {count(names.filter((name) => rights.has(name)).length)} of {count(names.length)}
            </span>
          </div>
          {pages.map((page) => (
            <div key={page.key} className={classes.cardPage}>
              <span className={classes.cardName}>{page.label}</span>
              <div className={classes.chips}>
                {page.actions.map((action) => (
                  <Cell
                    key={action}
                    {...props}
                    name={rightOf(key, page.key, action)}
                    label={`${verb(action)} ${page.label}, ${label}`}
                    text={verb(action)}
                    toggle={toggle}
                  />
                ))}
              </div>
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}

interface CellProps extends Pick<Props, 'rights' | 'before' | 'free' | 'readOnly'> {
  name: string;
  label: string;
  text?: string;
  toggle(names: readonly string[], on: boolean): void;
}

function Cell({ name, label, text, rights, before, free, readOnly, toggle }: CellProps) {
  const on = rights.has(name);
  const open = free(name);
  const changed = on !== before.has(name);
  return (
    <label
      className={text ? classes.chip : classes.cell}
      data-on={on || undefined}
      data-changed={changed ? (on ? 'added' : 'removed') : undefined}
      title={!open && !readOnly ? LOCKED : text ? undefined : label}
    >
      <input
        type="checkbox"
        aria-label={open || readOnly ? label : `${label}. ${LOCKED}`}
        checked={on}
        disabled={readOnly || !open}
        onChange={() => toggle([name], !on)}
      />
      {text}
      {!open && !readOnly && <IconLock size={12} stroke={2} aria-hidden />}
    </label>
  );
}

interface MixedProps {
  label: string;
  spoken: string;
  names: readonly string[];
  rights: ReadonlySet<string>;
  readOnly?: boolean;
  /** Puts the label above the box. */
  under?: boolean;
  /** Indents the row of a page within its category. */
  inner?: boolean;
  free(right: string): boolean;
  toggle(names: readonly string[], on: boolean): void;
}

/** A checkbox for several rights, indeterminate when only some are set. */
function Mixed({ label, spoken, names, rights, readOnly, under, inner, free, toggle }: MixedProps) {
  const held = names.filter((name) => rights.has(name)).length;
  const open = names.filter(free);
  const all = held === names.length;
  // If all grantable rights are set, the next press clears them.
  const on = open.length > 0 && open.every((name) => rights.has(name));
  return (
    <label
      className={classes.mixed}
      data-under={under || undefined}
      data-inner={inner || undefined}
      data-off={readOnly || undefined}
    >
      <input
        type="checkbox"
        aria-label={spoken}
        checked={all}
        disabled={readOnly || open.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = held > 0 && !all;
        }}
        onChange={() => toggle(names, !on)}
      />
      <span>{label}</span>
    </label>
  );
}

function matchingPages(catalogue: Catalogue, typed: string): Catalogue['categories'] {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return catalogue.categories;
  return catalogue.categories
    .map((category) => ({
      ...category,
      pages: category.pages.filter((page) => {
        const text = fold(`${category.label} ${page.label} ${page.actions.map(verb).join(' ')}`);
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ pages }) => pages.length > 0);
}

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Arrow keys move between boxes, skipping empty and locked cells. */
function move(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS[event.key];
  const cell = (event.target as HTMLElement).closest('td, th');
  const row = cell?.closest('tr');
  if (!step || !cell || !row) return;
  const rows = [...event.currentTarget.rows];
  let [y, x] = [rows.indexOf(row), [...row.cells].indexOf(cell as HTMLTableCellElement)];
  for (;;) {
    y += step[0];
    x += step[1];
    const line = rows[y];
    if (!line || x < 0 || (step[1] !== 0 && x >= line.cells.length)) break;
    const box = line.cells[x]?.querySelector<HTMLInputElement>('input:not(:disabled)');
    if (box) {
      box.focus();
      break;
    }
  }
  event.preventDefault();
}
