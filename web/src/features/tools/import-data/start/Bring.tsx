import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Problem } from '#/api/problem';
import { to } from '#/paths';
import { DropArea } from '#/ui/DropArea';
import { ErrorBox } from '#/ui/ErrorBox';
import { Panel } from '#/ui/Page';
import { importApi, keep } from '../api';
import type { ImportList } from '../types';
import { inSentence } from '../words';
import classes from './Bring.module.css';
import { FieldTable } from './FieldTable';

const MAX_MIB = 64;

/** The file of a list: an own one, or the template filled in. */
export function Bring({ list }: { list: ImportList }) {
  const navigate = useNavigate();
  const [uploading, setUploading] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const what = inSentence(list.label);

  async function upload(file: File): Promise<void> {
    setError(null);
    if (file.size > MAX_MIB * 1024 * 1024) {
      setError(`“${file.name}” is larger than ${MAX_MIB} MB. Split it and import the parts.`);
      return;
    }
    setUploading(file.name);
    try {
      const batch = await importApi.upload(list.slug, file);
      keep(batch);
      await navigate(to('toolsImportData', null, { batch: batch.id }));
    } catch (problem) {
      const { fields, message } = Problem.of(problem);
      setError(fields[0]?.message ?? message);
    } finally {
      setUploading(null);
    }
  }

  return (
    <Panel
      title={`Bring your ${what}`}
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
      <DropArea
        title={
          uploading ? `Uploading “${uploading}”…` : `Drop a file of ${what} here, or choose one`
        }
        hint={`CSV, text or Excel, up to ${MAX_MIB} MB and 100,000 rows. Nothing changes before you have looked at it.`}
        accept=".csv,.txt,.tsv,.xlsx"
        disabled={uploading !== null}
        onFile={(file) => void upload(file)}
      />
      {error && (
        <div className={classes.error}>
          <ErrorBox>{error}</ErrorBox>
        </div>
      )}
      <FieldTable list={list} />
    </Panel>
  );
}
