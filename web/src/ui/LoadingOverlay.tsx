import { Loader, Text } from '@mantine/core';
import classes from './LoadingOverlay.module.css';

/** Covers the window while the app starts. */
export function LoadingOverlay() {
  return (
    <output className={classes.overlay}>
      <Loader size="sm" />
      <Text size="sm" c="dimmed">
        Loading…
      </Text>
    </output>
  );
}
