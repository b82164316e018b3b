import { Button } from '@mantine/core';
import { IconReceiptOff } from '@tabler/icons-react';
import { Link, useParams, useSearchParams } from 'react-router';
import { Problem } from '#/api/problem';
import { to } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { useReading } from '../api';
import { NewReading } from './NewReading';
import { Review } from './Review';

/** One reading: its picture beside the form, or a new one without a picture. */
export default function ZReadingPage() {
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const { data: reading, error, isPending } = useReading(id);
  if (id === 'new') return <NewReading search={search} />;
  if (reading)
    return <Review key={`${reading.id}:${reading.state === 'captured'}`} reading={reading} />;
  if (isPending) return <output>Loading…</output>;
  return (
    <EmptyState
      page
      role="alert"
      icon={IconReceiptOff}
      title="This Z-reading cannot be opened"
      text={Problem.of(error).message}
      action={
        <Button component={Link} to={to('salesZReading')} variant="default">
          All Z-readings
        </Button>
      }
    />
  );
}
