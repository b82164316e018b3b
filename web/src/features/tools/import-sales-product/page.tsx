import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useCan } from '#/api/session';
import { MAX_MIB, UploadArea } from '#/imports/UploadArea';
import { pages, to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { Page } from '#/ui/Page';
import { salesApi } from './api';
import { BatchView } from './batch/BatchView';
import { Coverage } from './Coverage';
import classes from './page.module.css';
import { Unmapped, UnmappedNotice } from './Unmapped';

/** Upload, coverage, and each import. */
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
  const another = useLocation().state?.another === true;
  const mayImport = useCan('tools/importSalesProduct', 'import');
  const unmapped = useQuery({
    queryKey: ['import-sales', 'unmapped', 'count'],
    queryFn: ({ signal }) => salesApi.unmapped(1, 1, signal),
  });

  return (
    <Page
      title="Import sales"
      actions={
        <>
          <Button
            variant="default"
            component={Link}
            to={to('toolsImportSalesRootQty')}
            className={classes.second}
          >
            Root item quantities
          </Button>
          <Button
            variant="default"
            component={Link}
            to={to('toolsImportSalesBq')}
            className={classes.second}
          >
            BigQuery
          </Button>
          <Button
            variant="default"
            component={Link}
            to={to('toolsImportSalesIngest')}
            className={classes.second}
          >
            Till keys
          </Button>
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
        <UploadArea
          title="Drop a sales file here, or choose one"
          hint={`CSV, text, Excel or JSON from any till, up to ${MAX_MIB} MB. Nothing is posted before you have looked at it.`}
          json
          focused={another}
          onFile={async (file) => setSearch({ batch: (await salesApi.upload(file)).id })}
          refused={(words) => (
            <p role="alert" className={classes.error}>
              {words}
            </p>
          )}
        />
      )}
      {unmapped.data && unmapped.data.total > 0 && (
        <UnmappedNotice message={unmapped.data.message} />
      )}
      <Coverage />
    </Page>
  );
}
