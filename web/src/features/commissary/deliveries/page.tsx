import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useCan } from '#/api/session';
import { DocumentList } from '#/documents/DocumentList';
import { deliveryDef } from '#/documents/deliveries';
import { pages, to } from '#/paths';
import { RECEIVING } from '#/stock/api';
import { RecallNotice } from '#/stock/RecallNotice';
import { PageTabs } from '#/ui/PageTabs';
import { InTransit } from './InTransit';

/** Deliveries, and stock in transit. */
export default function DeliveriesPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const mayCreate = useCan(deliveryDef.page, 'create');
  const maySeeReturns = useCan(pages.commissarySupplierReturns.can);
  const maySeeTransit = useCan(RECEIVING);
  const transit = maySeeTransit && search.get('tab') === 'in-transit';
  const create = () => void navigate(pages.commissaryDelivery.path);
  const above = (
    <>
      {maySeeTransit && (
        <PageTabs
          label="Deliveries"
          current={transit ? 'in-transit' : 'all'}
          tabs={[
            { value: 'all', to: pages.commissaryDeliveries.path, label: 'Deliveries' },
            {
              value: 'in-transit',
              to: to('commissaryDeliveries', null, { tab: 'in-transit' }),
              label: 'In transit',
            },
          ]}
        />
      )}
      <RecallNotice />
    </>
  );
  if (transit) return <InTransit above={above} />;
  return (
    <DocumentList
      def={deliveryDef}
      above={above}
      onNew={mayCreate ? create : undefined}
      actions={
        <>
          {maySeeReturns && (
            <Button component={Link} to={pages.commissarySupplierReturns.path} variant="default">
              Supplier returns
            </Button>
          )}
          {mayCreate && (
            <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={create}>
              New delivery
            </Button>
          )}
        </>
      }
    />
  );
}
