import { ActionIcon, Button } from '@mantine/core';
import { IconAdjustments, IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useCan, useMe } from '#/api/session';
import { Count } from './Count';
import { HeldDrawer, useHeld } from './Held';
import classes from './page.module.css';
import { SettingsDrawer } from './Settings';

/** Counting in the back office: on a phone in the aisle, or at a desk from paper. */
export default function StoreCountPage() {
  return <Count actions={(storeId) => <Actions key={storeId} storeId={storeId} />} />;
}

/** What managers do about a store's counts. */
function Actions({ storeId }: { storeId: string }) {
  const { kept } = useMe();
  const mayApprove = useCan('stores/storeCount', 'approve') && !kept;
  const mayEdit = useCan('stores/storeCount', 'edit') && !kept;
  const [open, setOpen] = useState<'held' | 'settings' | null>(null);
  const { data } = useHeld(storeId, mayApprove);
  const held = data?.total ?? 0;
  return (
    <>
      {mayApprove && held > 0 && (
        <Button
          className={classes.action}
          variant="default"
          leftSection={<IconHandStop size={18} stroke={1.7} aria-hidden />}
          onClick={() => setOpen('held')}
        >
          {held} held
        </Button>
      )}
      {mayEdit && (
        <ActionIcon
          className={classes.icon}
          variant="default"
          aria-label="How this store counts"
          title="How this store counts"
          onClick={() => setOpen('settings')}
        >
          <IconAdjustments size={20} stroke={1.7} aria-hidden />
        </ActionIcon>
      )}
      {open === 'held' && <HeldDrawer storeId={storeId} onClose={() => setOpen(null)} />}
      {open === 'settings' && <SettingsDrawer storeId={storeId} onClose={() => setOpen(null)} />}
    </>
  );
}
