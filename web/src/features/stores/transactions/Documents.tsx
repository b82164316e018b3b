import { Button } from '@mantine/core';
import { IconAdjustments, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCan, useMe } from '#/api/session';
import { DocumentList } from '#/documents/DocumentList';
import { transferDef } from '#/documents/transfers';
import { wasteDef } from '#/documents/waste';
import { to } from '#/paths';
import { ApprovalDialog } from './ApprovalDialog';

/** Stores' transfers or waste reports. */
export function Documents({ waste, above }: { waste: boolean; above: ReactNode }) {
  const navigate = useNavigate();
  const mayCreate = useCan(transferDef.page, 'create');
  const everywhere = useMe().user.storeIds === null;
  const maySet = useCan(wasteDef.page, 'approve') && everywhere;
  const [setting, setSetting] = useState(false);
  const create = () =>
    void navigate(to(waste ? 'storesWasteReport' : 'storesTransfer', { id: 'new' }));
  const onNew = mayCreate ? create : undefined;
  const add = mayCreate && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={create}>
      {waste ? 'New waste report' : 'New transfer'}
    </Button>
  );
  if (!waste) {
    return (
      <DocumentList key="transfers" def={transferDef} above={above} onNew={onNew} actions={add} />
    );
  }
  return (
    <>
      <DocumentList
        key="waste"
        def={wasteDef}
        above={above}
        onNew={onNew}
        actions={
          <>
            {maySet && (
              <Button
                variant="default"
                leftSection={<IconAdjustments size={17} aria-hidden />}
                onClick={() => setSetting(true)}
              >
                Approval
              </Button>
            )}
            {add}
          </>
        }
      />
      {setting && <ApprovalDialog onClose={() => setSetting(false)} />}
    </>
  );
}
