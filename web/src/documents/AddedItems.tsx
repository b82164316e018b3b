import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { qty } from '#/ui/format';
import classes from './AddedItems.module.css';

export interface Added {
  key: string;
  name: string;
  qty: number;
  unit: string;
  /** Shown below the name: a reason, a lot. */
  text?: string;
}

interface Props<T extends Added> {
  items: readonly T[];
  errorOf?(at: number): string | undefined;
  onRemove(key: string): void;
}

/** The lines of a document not saved yet. */
export function AddedItems<T extends Added>({ items, errorOf, onRemove }: Props<T>) {
  return (
    <ul className={classes.lines}>
      {items.map((item, at) => (
        <li key={item.key}>
          <span>
            {item.name}
            {item.text && <small>{item.text}</small>}
            {errorOf?.(at) && <em>{errorOf(at)}</em>}
          </span>
          <b className="num">
            {qty(item.qty)} {item.unit}
          </b>
          <ActionIcon
            className={classes.remove}
            variant="subtle"
            size={36}
            aria-label={`Remove ${item.name}`}
            onClick={() => onRemove(item.key)}
          >
            <IconTrash size={17} stroke={1.7} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
