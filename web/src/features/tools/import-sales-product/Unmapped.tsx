import { Button, Pagination, Skeleton } from '@mantine/core';
import { IconCircleCheck, IconLock } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { pages, to } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { JobProgress } from '#/ui/JobProgress';
import { Page } from '#/ui/Page';
import { done } from '#/ui/toast';
import { salesApi, salesChanged } from './api';
import classes from './page.module.css';
import { ResolveItems } from './Resolve';

/** «{n} items are not mapped.», with a link to the page that maps them. */
export function UnmappedNotice({ message }: { message: string }) {
  return (
    <p className={classes.notice}>
      {message} Their sales count in amounts, not yet in root items.
      <Link to={to('toolsImportSales', null, { unmapped: '1' })}>Map them</Link>
    </p>
  );
}

const PAGE_SIZE = 50;

/** Items posted before they were mapped. */
export function Unmapped({ back }: { back: ReactNode }) {
  const mayEdit = useCan('tools/importSalesProduct', 'edit');
  const [job, setJob] = useState<string | null>(null);
  const [wished, setPage] = useState(1);
  const { data, error } = useQuery({
    queryKey: ['import-sales', 'unmapped', wished],
    queryFn: ({ signal }) => salesApi.unmapped(wished, PAGE_SIZE, signal),
    placeholderData: keepPreviousData,
  });
  const pageCount = Math.max(1, Math.ceil((data?.total ?? 0) / PAGE_SIZE));
  // Mapping all items of the last page leaves one page less.
  const page = data ? Math.min(wished, pageCount) : wished;
  if (page !== wished) setPage(page);

  return (
    <Page title="Items not mapped" back={back} narrow>
      {job && (
        <JobProgress
          key={job}
          jobId={job}
          title="Mapping posted sales"
          unit="items"
          onOver={(over) => {
            setJob(null);
            salesChanged();
            if (over.state === 'done') done('Sales mapped');
          }}
        />
      )}
      {error ? (
        <EmptyState
          icon={IconLock}
          role="alert"
          title="The items could not be loaded"
          text={Problem.of(error).message}
        />
      ) : !data ? (
        <Skeleton height={300} />
      ) : data.total === 0 ? (
        <EmptyState
          icon={IconCircleCheck}
          title="No unmapped items"
          text="No posted sale has an item that is not in the menu."
          action={
            <Button variant="default" component={Link} to={pages.toolsImportSales.path}>
              Back to import sales
            </Button>
          }
        />
      ) : (
        <>
          <ResolveItems
            key={data.items.map(({ key }) => key).join()}
            items={data.items}
            message={data.message}
            readOnly={!mayEdit || job !== null}
            onResolve={async (items) => setJob((await salesApi.resolveUnmapped(items)).jobId)}
          />
          {pageCount > 1 && (
            <Pagination
              total={pageCount}
              value={page}
              onChange={setPage}
              aria-label="Pages of items"
            />
          )}
        </>
      )}
    </Page>
  );
}
