import { Button, Modal, Stack, Text } from '@mantine/core';
import { IconDeviceMobile, IconDownload, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { countWaiting, downloadAll, flushAll, nameOfWaiting } from '#/offline/outboxes';
import { confirmKeys } from '#/ui/confirmKeys';
import { plural } from '#/ui/format';
import { useReturnFocus } from '#/ui/useReturnFocus';

/** Offers to send, keep or download what is not sent before signing out. */
export default function SignOutDialog({ onAnswer }: { onAnswer(leave: boolean): void }) {
  useReturnFocus();
  const [waiting, setWaiting] = useState(countWaiting);
  const [[one, many]] = useState(nameOfWaiting);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');

  async function send(): Promise<void> {
    setBusy(true);
    setError('');
    await flushAll();
    const left = countWaiting();
    setBusy(false);
    if (left === 0) return onAnswer(true);
    setWaiting(left);
    setError('They could not be sent now. Keep them on this device or download them.');
  }

  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      onKeyDown={confirmKeys({ confirm: busy ? null : () => void send() })}
      title={`${plural(waiting, one, many)} not sent yet`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        <Text size="sm">
          {waiting === 1 ? `This ${one} is` : `These ${many} are`} saved on this device until sent,
          even after you sign out.
        </Text>
        {error && (
          <Text size="sm" c="var(--danger)" role="alert">
            {error}
          </Text>
        )}
        <Button
          h={48}
          leftSection={<IconSend size={18} aria-hidden />}
          loading={busy}
          onClick={() => void send()}
          data-autofocus
        >
          Send now and sign out
        </Button>
        <Button
          h={48}
          variant="default"
          leftSection={<IconDeviceMobile size={18} aria-hidden />}
          onClick={() => onAnswer(true)}
        >
          Keep on this device and sign out
        </Button>
        <Button
          h={48}
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={downloadAll}
        >
          Download
        </Button>
        <Button h={48} variant="subtle" onClick={() => onAnswer(false)}>
          Stay signed in
        </Button>
      </Stack>
    </Modal>
  );
}
