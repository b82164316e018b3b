import { IconTrash } from '@tabler/icons-react';
import classes from './Document.module.css';

/** Removes a line from a draft; a native button, since its row is virtual. */
export function RemoveLine({ name, onRemove }: { name: string; onRemove(): void }) {
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
