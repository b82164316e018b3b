import { ActionIcon, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import classes from './ExportButton.module.css';

/** Downloads what is shown. */
export function ExportButton({ href }: { href(format: 'csv' | 'xlsx'): string }) {
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Export"
          title="Export"
          className={`${classes.button} no-print`}
        >
          <IconDownload size={17} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={href('csv')} download>
          Download CSV
        </Menu.Item>
        <Menu.Item component="a" href={href('xlsx')} download>
          Download Excel
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
