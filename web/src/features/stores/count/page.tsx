import { ActionIcon, Button } from '@mantine/core';
import { IconAdjustments, IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useCan, useMe } from '#/api/session';
import { Count } from './Count';
import { HeldDrawer, useHeldCounts } from './HeldDrawer';
import classes from './page.module.css';
import { SettingsDrawer } from './Settings';

/** The counting page of the back office. */
export default function StoreCountPage() {
  return <Count actions={(storeId) => <Actions key={storeId} storeId={storeId} />} />;
}

/** The managers' buttons: held counts and settings. */
function Actions({ storeId }: { storeId: string }) {
  const { remembered } = useMe();
  const mayApprove = useCan('stores/storeCount', 'approve') && !remembered;
  const mayEdit = useCan('stores/storeCount', 'edit') && !remembered;
  const [open, setOpen] = useState<'held' | 'settings' | null>(null);
  const { data } = useHeldCounts(storeId, mayApprove);
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
