import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './SeriesPanel.module.css';

interface Props {
  name: string;
  busy?: boolean;
  /** Absent in a drawer, which closes itself. */
  onClose?: (() => void) | undefined;
  children: ReactNode;
}

/** An item's forecast, beside its table or in a drawer. */
export function SeriesPanel({ name, busy, onClose, children }: Props) {
  return (
    <section
      className={classes.panel}
      aria-label={name || 'Forecast of an item'}
      aria-busy={busy}
      data-drawer={onClose ? undefined : true}
    >
      {onClose && (
        <header className={classes.head}>
          <h2>{name}</h2>
          <button type="button" aria-label="Close" title="Close" onClick={onClose}>
            <IconX size={18} aria-hidden />
          </button>
        </header>
      )}
      {children}
    </section>
  );
}
