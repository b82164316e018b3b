import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { importApi } from '../api';
import classes from './Result.module.css';

/** Exports the invalid rows, to correct and import again. */
export function ProblemsMenu({ batch }: { batch: string }) {
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          className={classes.download}
          leftSection={<IconDownload size={15} stroke={1.7} aria-hidden />}
        >
          Problem rows
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={importApi.errorsHref(batch, 'csv')} download>
          Download CSV
        </Menu.Item>
        <Menu.Item component="a" href={importApi.errorsHref(batch, 'xlsx')} download>
          Download Excel
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
