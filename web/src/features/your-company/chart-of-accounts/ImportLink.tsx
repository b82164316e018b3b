import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { pages, spec, to } from '#/paths';

/** Links to the import of accounts. */
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
