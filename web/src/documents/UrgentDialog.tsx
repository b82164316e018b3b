import { Textarea } from '@mantine/core';
import { Dialog } from '#/ui/Dialog';

interface Props {
  busy?: boolean;
  /** Kept by the caller: what was typed stays when the dialog is closed. */
  reason: string;
  onReason(reason: string): void;
  onAsk(): void;
  onClose(): void;
}

/** Asks why an order is urgent, after its cut-off. */
export function UrgentDialog({ busy = false, reason, onReason, onAsk, onClose }: Props) {
  return (
    <Dialog
      opened
      title="Ask for an urgent order"
      keep="Not now"
      confirm="Ask for it"
      busy={busy}
      disabled={reason.trim() === ''}
      onConfirm={onAsk}
      onClose={onClose}
    >
      <p>Head office decides if it can still come. The kitchen sees why you ask.</p>
      <Textarea
        label="Why is it urgent?"
        required
        autosize
        minRows={2}
        maxLength={2000}
        value={reason}
        data-autofocus
        onChange={(event) => onReason(event.currentTarget.value)}
      />
    </Dialog>
  );
}
