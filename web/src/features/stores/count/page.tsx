import { ActionIcon, Button } from '@mantine/core';
import { IconAdjustments, IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
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
  const [settingsOpen, setSettingsOpen] = useState(false);
  // In the address, so that Home and the bell can link to it.
  const [search, setSearch] = useSearchParams();
  const showHeld = (shown: boolean) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (shown) next.set('held', '1');
        else next.delete('held');
        return next;
      },
      { replace: true },
    );
  const { data } = useHeldCounts(storeId, mayApprove);
  const held = data?.total ?? 0;
  return (
    <>
      {mayApprove && held > 0 && (
        <Button
          className={classes.action}
          variant="default"
          leftSection={<IconHandStop size={18} stroke={1.7} aria-hidden />}
          onClick={() => showHeld(true)}
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
          onClick={() => setSettingsOpen(true)}
        >
          <IconAdjustments size={20} stroke={1.7} aria-hidden />
        </ActionIcon>
      )}
      {mayApprove && search.has('held') && (
        <HeldDrawer storeId={storeId} onClose={() => showHeld(false)} />
      )}
      {settingsOpen && <SettingsDrawer storeId={storeId} onClose={() => setSettingsOpen(false)} />}
    </>
  );
}
