import { Menu } from '@mantine/core';
import type { RowAction } from './types';

export interface RowMenuAt<T> {
  row: T;
  rect: DOMRect;
  button: HTMLElement;
}

interface Props<T> {
  at: RowMenuAt<T>;
  actions: readonly RowAction<T>[];
  onClose(): void;
}

/** One menu for all rows, mounted at the row that opens it. */
export function RowMenu<T>({ at, actions, onClose }: Props<T>) {
  const { row, rect, button } = at;
  return (
    <Menu
      opened
      onChange={(open) => {
        if (!open) {
          onClose();
          button.focus();
        }
      }}
      position="bottom-end"
      width={190}
      returnFocus={false}
    >
      <Menu.Target>
        <span
          aria-hidden
          style={{
            position: 'fixed',
            left: rect.left,
            top: rect.top,
            width: rect.width,
            height: rect.height,
            pointerEvents: 'none',
          }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label="Row actions">
        {actions
          .filter(({ shown }) => shown?.(row) ?? true)
          .map(({ label, icon: Picture, danger, run }) => (
            <Menu.Item
              key={label}
              c={danger ? 'var(--danger)' : undefined}
              leftSection={Picture && <Picture size={16} stroke={1.6} aria-hidden />}
              onClick={() => run(row)}
            >
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
