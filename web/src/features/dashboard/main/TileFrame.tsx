import { ActionIcon } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconEyeOff, IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { Tile } from './api';
import classes from './Home.module.css';
import { urgency } from './order';

interface Props {
  tile: Tile;
  arranging: boolean;
  first: boolean;
  last: boolean;
  /** Moves it by this many places. */
  onMove(by: number): void;
  /** Another tile was dropped here. */
  onDrop(name: string): void;
  onHide(): void;
  children: ReactNode;
}

/** The MIME type of a dragged tile. */
const CARRIED = 'application/x-larder-tile';
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** A tile's panel; while arranging, with its handle and buttons. */
export function TileFrame({
  tile,
  arranging,
  first,
  last,
  onMove,
  onDrop,
  onHide,
  children,
}: Props) {
  const [over, setOver] = useState(false);
  const { name, title } = tile;

  function keys(event: KeyboardEvent): void {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    onMove(by);
  }

  return (
    <li
      className={classes.tile}
      data-tile={name}
      data-wide={name === 'sales' || name === 'stores' || undefined}
      data-urgency={urgency(tile)}
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!arranging || !event.dataTransfer.types.includes(CARRIED)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const dropped = event.dataTransfer.getData(CARRIED);
        if (!arranging || !dropped || dropped === name) return;
        event.preventDefault();
        onDrop(dropped);
      }}
    >
      {arranging && (
        <div className={classes.tools}>
          <button
            type="button"
            className={classes.handle}
            draggable
            aria-label={`Move ${title} with the arrow keys`}
            title="Drag, or press the arrow keys"
            onKeyDown={keys}
            onDragStart={(event) => {
              event.dataTransfer.setData(CARRIED, name);
              event.dataTransfer.effectAllowed = 'move';
            }}
          >
            <IconGripVertical size={16} stroke={1.7} aria-hidden />
          </button>
          <span className={classes.toolTitle}>{title}</span>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${title} forward`}
            disabled={first}
            onClick={() => onMove(-1)}
          >
            <IconArrowLeft size={16} stroke={1.7} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${title} back`}
            disabled={last}
            onClick={() => onMove(1)}
          >
            <IconArrowRight size={16} stroke={1.7} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Put ${title} away`}
            onClick={onHide}
          >
            <IconEyeOff size={16} stroke={1.7} />
          </ActionIcon>
        </div>
      )}
      <div className={classes.inside} inert={arranging}>
        {children}
      </div>
    </li>
  );
}
