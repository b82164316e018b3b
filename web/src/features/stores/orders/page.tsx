import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import { DocumentList } from '#/documents/DocumentList';
import { orderDef } from '#/documents/orders';
import { to } from '#/paths';

export default function OrdersPage() {
  const navigate = useNavigate();
  const mayCreate = useCan(orderDef.page, 'create');
  const create = () => void navigate(to('storesOrder', { id: 'new' }));
  return (
    <DocumentList
      def={orderDef}
      onNew={mayCreate ? create : undefined}
      actions={
        mayCreate && (
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={create}>
            New order
          </Button>
        )
      }
    />
  );
}
