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
  /** Milliseconds to wait for a pause in typing; for remote lists. */
  wait: number;
  onChange(q: string): void;
}

/** Filters while typing; Escape clears it. */
export function FilterBox({ value, placeholder, box, wait, onChange }: FilterBoxProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  /** Values reported to the parent that have not come back as `value` yet. */
  const reported = useRef<string[]>([]);
  if (value !== seen) {
    setSeen(value);
    // The value also changes by going back. Ignore echoes of own values: more may have been typed since.
    if (!reported.current.includes(value)) setTyped(value);
  }
  useEffect(() => {
    const at = reported.current.indexOf(value);
    reported.current = at < 0 ? [] : reported.current.slice(at + 1);
  }, [value]);

  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => {
      reported.current.push(typed);
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
