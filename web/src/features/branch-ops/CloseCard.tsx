import { Button } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { useState } from 'react';
import { CloseDialog } from '#/documents/CloseDialog';
import { type CloseLine, heading, isLeaving } from '#/documents/close';
import { useOpenClose } from '#/documents/useOpenClose';
import { plural } from '#/ui/format';
import screen from './Screen.module.css';

/** Goods that came or left close to a count: asks if the count includes that, once counts and documents are sent. */
export function CloseCard({ storeId }: { storeId: string }) {
  const open = useOpenClose(storeId);
  // The lines as they were when the dialog was opened: a fresh answer must not change them while it is filled in.
  const [asked, setAsked] = useState<readonly CloseLine[]>([]);
  if (open.length + asked.length === 0) return null;
  return (
    <>
      {open.length > 0 && (
        <ul className={screen.list} aria-label="Close to a count">
          <li className={screen.card} data-tone="warn">
            <IconTruckDelivery size={24} stroke={1.6} aria-hidden />
            <span className={screen.words}>
              <strong>{heading(open.map(isLeaving))}</strong>
              <span>
                {plural(open.length, 'line')} came or left close to a count. Only you can say if the
                count includes {open.length === 1 ? 'it' : 'them'}.
              </span>
              <span className={screen.buttons}>
                <Button size="md" h={44} onClick={() => setAsked(open)}>
                  Answer
                </Button>
              </span>
            </span>
          </li>
        </ul>
      )}
      {asked.length > 0 && <CloseDialog lines={asked} onClose={() => setAsked([])} />}
    </>
  );
}
