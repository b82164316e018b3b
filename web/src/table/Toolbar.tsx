import { ActionIcon, Checkbox, Popover, TextInput } from '@mantine/core';
import { IconColumns3, IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import classes from './Toolbar.module.css';
import type { Column } from './types';
import type { Visibility } from './useColumns';

interface FilterBoxProps {
  value: string;
  placeholder: string;
  box: RefObject<HTMLInputElement | null>;
  /** Remote lists wait for a pause in typing. */
  wait: number;
  onChange(q: string): void;
}

/** The filter answers while it is typed; Escape empties it. */
export function FilterBox({ value, placeholder, box, wait, onChange }: FilterBoxProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  /** What was told and has not come back yet. */
  const told = useRef<string[]>([]);
  if (value !== seen) {
    setSeen(value);
    // The address may change by going back. What the box told is no news to it: more may be typed by now.
    if (!told.current.includes(value)) setTyped(value);
  }
  useEffect(() => {
    const at = told.current.indexOf(value);
    told.current = at < 0 ? [] : told.current.slice(at + 1);
  }, [value]);

  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => {
      told.current.push(typed);
      onChange(typed);
    }, wait);
    return () => clearTimeout(timer);
  }, [typed, value, wait, onChange]);

  return (
    <TextInput
      ref={box}
      size="xs"
      className={classes.filter}
      placeholder={placeholder}
      aria-label={placeholder}
      value={typed}
      leftSection={<IconSearch size={15} stroke={1.8} aria-hidden />}
      rightSection={
        typed && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Clear filter"
            onClick={() => setTyped('')}
          >
            <IconX size={15} />
          </ActionIcon>
        )
      }
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          if (typed) setTyped('');
          else event.currentTarget.blur();
        }
      }}
    />
  );
}

interface ColumnsProps<T> {
  columns: readonly Column<T>[];
  visibility: Visibility;
  changed: boolean;
  show(id: string, on: boolean): void;
  reset(): void;
}

export function ColumnsButton<T>({ columns, visibility, changed, show, reset }: ColumnsProps<T>) {
  return (
    <Popover position="bottom-end" width={240} trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Columns"
          title="Columns"
          className={classes.button}
        >
          <IconColumns3 size={17} stroke={1.6} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.columns} aria-label="Columns">
        {columns
          .filter((column) => !column.primary)
          .map(({ id, label }) => (
            <Checkbox
              key={id}
              className={classes.column}
              label={label}
              checked={visibility[id] !== false}
              onChange={(event) => show(id, event.currentTarget.checked)}
            />
          ))}
        {changed && (
          <button type="button" className={classes.reset} onClick={reset}>
            Reset columns
          </button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

export function Toolbar({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <div className={`${classes.toolbar} no-print`}>
      {left}
      <div className={classes.right}>{right}</div>
    </div>
  );
}
