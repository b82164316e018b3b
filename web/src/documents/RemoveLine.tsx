import { IconTrash } from '@tabler/icons-react';
import type { GridColumn } from '#/grid/types';
import classes from './Document.module.css';

/** Removes a line from a draft; a native button, since its row is virtual. */
function RemoveLine({ name, onRemove }: { name: string; onRemove(): void }) {
  return (
    <button
      type="button"
      className={classes.removeLine}
      aria-label={`Remove ${name}`}
      onClick={onRemove}
    >
      <IconTrash size={17} stroke={1.7} aria-hidden />
    </button>
  );
}

/** The last column of a draft: removes a line. */
export function removeColumn<L extends { id: string; name: string }>(
  onRemove: (id: string) => void,
  nameOf: (line: L) => string = ({ name }) => name,
): GridColumn<L> {
  return {
    id: 'remove',
    label: '',
    width: 52,
    phone: 'tool',
    cell: (line) => <RemoveLine name={nameOf(line)} onRemove={() => onRemove(line.id)} />,
  };
}
