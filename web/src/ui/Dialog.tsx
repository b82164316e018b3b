import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { confirmKeys } from './confirmKeys';
import classes from './Dialog.module.css';
import { useReturnFocus } from './useReturnFocus';

interface Props {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** A verb and its object: «Delete product». */
  confirm?: string;
  /** The label of cancelling: «Keep product». */
  keep: string;
  danger?: boolean;
  busy?: boolean;
  disabled?: boolean;
  size?: number;
  onConfirm?(): void;
  onClose(): void;
}

/** A confirmation dialog. Enter confirms unless it is dangerous, Ctrl+Enter always. */
export function Dialog(props: Props) {
  const { opened, title, children, confirm, keep, danger, busy, disabled, size = 440 } = props;
  useReturnFocus();
  const ready = Boolean(confirm) && !busy && !disabled;
  return (
    <Modal
      opened={opened}
      onClose={props.onClose}
      onKeyDown={confirmKeys({ confirm: ready ? () => props.onConfirm?.() : null, danger })}
      title={title}
      size={size}
      classNames={{ title: classes.title, close: classes.button }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={classes.body}>{children}</div>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button
          variant="default"
          className={classes.button}
          onClick={props.onClose}
          data-autofocus={danger || undefined}
        >
          {keep}
        </Button>
        {confirm && (
          <Button
            className={classes.button}
            color={danger ? 'red' : undefined}
            loading={busy}
            disabled={disabled}
            onClick={props.onConfirm}
            data-autofocus={(ready && !danger) || undefined}
          >
            {confirm}
          </Button>
        )}
      </Group>
    </Modal>
  );
}
