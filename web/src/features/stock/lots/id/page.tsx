import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconBarcodeOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearchParams } from 'react-router';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { LOTS } from '#/stock/api';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { Page } from '#/ui/Page';
import { back, LotView } from './LotView';

export default function LotPage() {
  const { lot = '' } = useParams();
  const [search] = useSearchParams();
  const productId = search.get('product') ?? '';
  const { data, error, refetch } = useQuery({
    queryKey: [...LOTS, 'trace', lot, productId],
    queryFn: ({ signal }) =>
      request('GET', '/api/stock/lots/{lot}/trace', {
        path: { lot },
        query: productId ? { productId } : {},
        signal,
      }),
  });
  if (data) return <LotView trace={data} productId={productId} />;
  if (!error) {
    return (
      <Page title={`Lot ${lot}`} back={<BackLink to={back.to} label={back.label} />}>
        {[46, 260, 360].map((height) => (
          <Skeleton key={height} height={height} radius="md" />
        ))}
      </Page>
    );
  }
  const problem = Problem.of(error);
  const gone = problem.status === 404;
  return (
    <EmptyState
      page
      icon={gone ? IconBarcodeOff : IconAlertTriangle}
      role="alert"
      title={gone ? `There is no lot ${lot}` : 'This lot could not be opened'}
      text={gone ? 'Check the code, or look for the product among the lots.' : problem.message}
      action={
        <>
          <Button variant="default" component={Link} to={back.to}>
            Back to lots
          </Button>
          {!gone && <Button onClick={() => void refetch()}>Try again</Button>}
        </>
      }
    />
  );
}
