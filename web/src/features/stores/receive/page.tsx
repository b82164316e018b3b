import { Button } from '@mantine/core';
import { IconAdjustments, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useCan, useMe } from '#/api/session';
import { DocumentList } from '#/documents/DocumentList';
import { receiptDef } from '#/documents/receipts';
import { pages, to } from '#/paths';
import { RecallNotice } from '#/stock/RecallNotice';
import { Expected } from './Expected';
import { ToleranceDialog } from './ToleranceDialog';

/** Incoming stock, recalls and receipts. */
export default function ReceivePage() {
  const navigate = useNavigate();
  const mayCreate = useCan(receiptDef.page, 'create');
  const maySeeTransfers = useCan(pages.storesTransactions.can);
  const everywhere = useMe().user.storeIds === null;
  const maySet = useCan(receiptDef.page, 'approve') && everywhere;
  const [setting, setSetting] = useState(false);
  const create = () => void navigate(to('storesReceipt', { id: 'new' }));
  return (
    <DocumentList
      def={receiptDef}
      onNew={mayCreate ? create : undefined}
      actions={
        <>
          {maySeeTransfers && (
            <Button component={Link} to={to('storesTransactions')} variant="default">
              Transfers and waste
            </Button>
          )}
          <Button component={Link} to={pages.commissarySupplierReturns.path} variant="default">
            Supplier returns
          </Button>
          {maySet && (
            <Button
              variant="default"
              leftSection={<IconAdjustments size={17} aria-hidden />}
              onClick={() => setSetting(true)}
            >
              Tolerance
            </Button>
          )}
          {mayCreate && (
            <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={create}>
              From a supplier
            </Button>
          )}
        </>
      }
      above={
        <>
          {setting && <ToleranceDialog onClose={() => setSetting(false)} />}
          <RecallNotice />
          <Expected />
        </>
      }
    />
  );
}
