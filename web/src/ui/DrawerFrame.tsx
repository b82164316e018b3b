import { Drawer } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import classes from './DrawerFrame.module.css';
import { useReturnFocus } from './useReturnFocus';

interface FrameProps {
  opened: boolean;
  title: string;
  size?: number;
  onClose(): void;
  children: ReactNode;
}

/** The drawer on the right; it opens before its content has loaded. */
export function DrawerFrame({ opened, title, size = 520, onClose, children }: FrameProps) {
  const content = useRef<HTMLDivElement>(null);
  useReturnFocus(opened, content);
  // Keep the title while sliding out: its source is gone by then.
  const named = useRef(title);
  if (opened) named.current = title;
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position="right"
      size={size}
      classNames={{ content: classes.content }}
    >
      <Drawer.Overlay backgroundOpacity={0.32} />
      <Drawer.Content ref={content} aria-label={named.current}>
        <Drawer.Header component="div" className={classes.header}>
          <Drawer.Title className={classes.title}>{named.current}</Drawer.Title>
          <Drawer.CloseButton className={classes.close} iconSize={20} aria-label="Close" />
        </Drawer.Header>
        {children}
      </Drawer.Content>
    </Drawer.Root>
  );
}
