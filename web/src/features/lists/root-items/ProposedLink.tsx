import { Button } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { Link } from 'react-router';
import { pages } from '#/paths';
import { count } from '#/ui/format';
import { useProposals } from './proposals';

/** A link to the prices that receipts propose, with how many are open. */
export function ProposedLink() {
  const { data } = useProposals('open');
  return (
    <Button
      variant="default"
      component={Link}
      to={pages.listProposedPrices.path}
      leftSection={<IconReceipt size={16} stroke={1.7} aria-hidden />}
    >
      Proposed prices{data && data.total > 0 ? ` (${count(data.total)})` : ''}
    </Button>
  );
}
