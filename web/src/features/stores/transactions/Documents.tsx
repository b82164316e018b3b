import { Button } from '@mantine/core';
import { IconAdjustments, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useCan, useMe } from '#/api/session';
import { DocumentList } from '#/documents/DocumentList';
import { transferDef } from '#/documents/transfers';
import { wasteDef } from '#/documents/waste';
import { pages, to } from '#/paths';
import { PageTabs } from '#/ui/PageTabs';
import { ApprovalDialog } from './ApprovalDialog';

/** What stores send each other, and what they throw away. */
export default function TransactionsPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const waste = search.get('tab') === 'waste';
  const mayCreate = useCan(transferDef.page, 'create');
  const everywhere = useMe().user.storeIds === null;
  const maySet = useCan(wasteDef.page, 'approve') && everywhere;
  const [setting, setSetting] = useState(false);
  const create = () =>
    void navigate(to(waste ? 'storesWasteReport' : 'storesTransfer', { id: 'new' }));
  const onNew = mayCreate ? create : undefined;
  const above = (
    <PageTabs
      label="Store transactions"
      current={waste ? 'waste' : 'transfers'}
      tabs={[
        { value: 'transfers', to: pages.storesTransactions.path, label: 'Transfers' },
        { value: 'waste', to: to('storesTransactions', null, { tab: 'waste' }), label: 'Waste' },
      ]}
    />
  );
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
