import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { pages, spec, to } from '#/paths';

/** The way to bring a whole chart in, for those who may. */
export function ImportLink() {
  const may = useCan(pages.toolsImportData.can, 'import');
  if (!may || !spec('toolsImportData').built) return null;
  return (
    <Button
      variant="default"
      component={Link}
      to={to('toolsImportData', null, { list: 'chart-of-accounts' })}
      leftSection={<IconFileImport size={17} stroke={1.7} aria-hidden />}
    >
      Import
    </Button>
  );
}
