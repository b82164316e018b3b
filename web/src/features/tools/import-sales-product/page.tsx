import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { pages, to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { DropArea } from '#/ui/DropArea';
import { Page } from '#/ui/Page';
import { salesApi } from './api';
import { BatchView } from './batch/BatchView';
import { Coverage } from './Coverage';
import classes from './page.module.css';
import { Unmapped, UnmappedNotice } from './Unmapped';

const MAX_MIB = 64;

/** Upload, look at what is there, and everything about one import. */
export default function ImportSalesPage() {
  const [search] = useSearchParams();
  const batch = search.get('batch');
  const back = <BackLink to={pages.toolsImportSales.path} label="Import sales" />;
  if (batch) return <BatchView key={batch} id={batch} back={back} />;
  if (search.has('unmapped')) return <Unmapped back={back} />;
  return <Start />;
}

function Start() {
  const [, setSearch] = useSearchParams();
  const mayImport = useCan('tools/importSalesProduct', 'import');
  const [uploading, setUploading] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const unmapped = useQuery({
    queryKey: ['import-sales', 'unmapped'],
    queryFn: ({ signal }) => salesApi.unmapped(signal),
  });

  async function upload(file: File): Promise<void> {
    setError(null);
    if (file.size > MAX_MIB * 1024 * 1024) {
      setError(`“${file.name}” is larger than ${MAX_MIB} MB. Split it and import the parts.`);
      return;
    }
    setUploading(file.name);
    try {
      const batch = await salesApi.upload(file);
      setSearch({ batch: batch.id });
    } catch (problem) {
      setError(Problem.of(problem).message);
    } finally {
      setUploading(null);
    }
  }

  return (
    <Page
      title="Import sales"
      actions={
        <>
          <Button
            variant="default"
            component={Link}
            to={to('toolsImportSalesTerminals')}
            className={classes.second}
          >
            Terminal summary
          </Button>
          <Button
            variant="default"
            component={Link}
            to={to('toolsImportSalesRecords')}
            leftSection={<IconHistory size={17} aria-hidden />}
          >
            Records
          </Button>
        </>
      }
    >
      {mayImport && (
        <DropArea
          title={uploading ? `Uploading “${uploading}”…` : 'Drop a sales file here, or choose one'}
          hint={`CSV, text or Excel from any till, up to ${MAX_MIB} MB. Nothing is posted before you have looked at it.`}
          accept=".csv,.txt,.tsv,.xlsx"
          disabled={uploading !== null}
          onFile={(file) => void upload(file)}
        />
      )}
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
      {unmapped.data && unmapped.data.total > 0 && (
        <UnmappedNotice message={unmapped.data.message} />
      )}
      <Coverage />
    </Page>
  );
}
