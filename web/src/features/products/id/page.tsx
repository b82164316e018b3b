import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { Problem } from '#/api/problem';
import { pages } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { Page } from '#/ui/Page';
import { KEY, productsApi } from '../api';
import { NewProduct } from './NewProduct';
import { ProductView } from './ProductView';

const back = <BackLink to={pages.products.path} label={pages.products.label} />;

/** The page of a product; an unknown id shows the form for a new one. */
export default function ProductPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [...KEY, 'one', id],
    queryFn: ({ signal }) => productsApi.get(id, signal),
    enabled: id !== 'new',
  });

  const problem = error && Problem.of(error);
  if (id === 'new' || problem?.status === 404) return <NewProduct key={id} back={back} />;
  if (data) return <ProductView key={data.id} product={data} back={back} />;
  if (problem) {
    return (
      <EmptyState
        page
        icon={IconAlertTriangle}
        role="alert"
        title="This product could not be opened"
        text={problem.message}
        action={
          <>
            <Button variant="default" component={Link} to={pages.products.path}>
              Back to products
            </Button>
            <Button onClick={() => void refetch()}>Try again</Button>
          </>
        }
      />
    );
  }
  return (
    <Page title="Product" back={back} narrow>
      {[38, 260, 180].map((height) => (
        <Skeleton key={height} height={height} radius="md" />
      ))}
    </Page>
  );
}
