import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDownload, IconPhoto } from '@tabler/icons-react';
import { useRef } from 'react';
import { done, lastingError } from '#/ui/toast';
import classes from './charts.module.css';
import { chartPng, pngName } from './png';

interface Props {
  title: string;
  /** The caption: which days, which stores. */
  note: string;
}

/** Copies the chart as a picture, or downloads it. */
export function ChartShare({ title, note }: Props) {
  const box = useRef<HTMLButtonElement>(null);

  async function picture(): Promise<Blob> {
    const frame = box.current?.closest('figure');
    const png = frame && (await chartPng(frame, title, note));
    if (!png) throw new Error('There is no chart to copy yet. Try again when it is drawn.');
    return png;
  }

  async function copy(): Promise<void> {
    try {
      // Passed as a promise, so that the click still counts when the picture is ready.
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture() })]);
      done('Picture copied');
    } catch {
      lastingError('The picture could not be copied. Download it instead.');
    }
  }

  async function download(): Promise<void> {
    try {
      const href = URL.createObjectURL(await picture());
      const link = document.createElement('a');
      link.href = href;
      link.download = pngName(`${title} ${note}`);
      link.click();
      URL.revokeObjectURL(href);
    } catch (error) {
      lastingError(error instanceof Error ? error.message : 'The picture could not be made.');
    }
  }

  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon
          ref={box}
          variant="subtle"
          size={28}
          aria-label="Chart as a picture"
          title="Chart as a picture"
          className={classes.share}
        >
          <IconPhoto size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copy()}>
          Copy as a picture
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => void download()}>
          Download PNG
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
