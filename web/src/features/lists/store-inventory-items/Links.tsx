import { Button } from '@mantine/core';
import { IconEye, IconPercentage } from '@tabler/icons-react';
import { Link } from 'react-router';
import { pages } from '#/paths';

const at = (view: string) => `${pages.listStoreInventoryItems.path}?view=${view}`;

/** Links to the views of visibility and mixes. */
export function Links() {
  return (
    <>
      <Button
        variant="default"
        component={Link}
        to={at('visibility')}
        leftSection={<IconEye size={16} stroke={1.7} aria-hidden />}
      >
        Visibility
      </Button>
      <Button
        variant="default"
        component={Link}
        to={at('mixes')}
        leftSection={<IconPercentage size={16} stroke={1.7} aria-hidden />}
      >
        Mixes
      </Button>
    </>
  );
}
