import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { MAX_MIB, UploadArea } from '#/imports/UploadArea';
import { to } from '#/paths';
import { ErrorBox } from '#/ui/ErrorBox';
import { Panel } from '#/ui/Page';
import { importApi, keep } from '../api';
import { inSentence } from '../labels';
import type { ImportList } from '../types';
import { FieldTable } from './FieldTable';
import classes from './UploadFile.module.css';

/** Uploads a list's file: the user's own, or the filled-in template. */
export function UploadFile({ list }: { list: ImportList }) {
  const navigate = useNavigate();
  const what = inSentence(list.label);

  async function upload(file: File): Promise<void> {
    const batch = await importApi.upload(list.slug, file);
    keep(batch);
    await navigate(to('toolsImportData', null, { batch: batch.id }));
  }

  return (
    <Panel
      title={`Import your ${what}`}
      aside={
        <div className={classes.templates}>
          <span id="templates">Template</span>
          {(['csv', 'xlsx'] as const).map((format) => (
            <Button
              key={format}
              size="xs"
              variant="default"
              component="a"
              href={importApi.templateHref(list.slug, format)}
              download
              leftSection={<IconDownload size={15} stroke={1.7} aria-hidden />}
              aria-label={`Download the template as ${format === 'csv' ? 'CSV' : 'Excel'}`}
            >
              {format === 'csv' ? 'CSV' : 'Excel'}
            </Button>
          ))}
        </div>
      }
    >
      <UploadArea
        title={`Drop a file of ${what} here, or choose one`}
        hint={`CSV, text or Excel, up to ${MAX_MIB} MB and 100,000 rows. Nothing changes before you have looked at it.`}
        onFile={upload}
        refused={(words) => (
          <div className={classes.error}>
            <ErrorBox>{words}</ErrorBox>
          </div>
        )}
      />
      <FieldTable list={list} />
    </Panel>
  );
}
