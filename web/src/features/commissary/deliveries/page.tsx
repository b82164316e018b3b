import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import { DocumentList } from '#/documents/DocumentList';
import { deliveryDef } from '#/documents/deliveries';
import { pages } from '#/paths';

export default function DeliveriesPage() {
  const navigate = useNavigate();
  const mayCreate = useCan(deliveryDef.page, 'create');
  const create = () => void navigate(pages.commissaryDelivery.path);
  return (
    <DocumentList
      def={deliveryDef}
      onNew={mayCreate ? create : undefined}
      actions={
        mayCreate && (
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={create}>
            New delivery
          </Button>
        )
      }
    />
  );
}
