import { Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import feed from '../parts/Feed.module.css';
import { FeedFrame } from '../parts/FeedFrame';
import { RecordLine } from './RecordLine';
import { PAGE_SIZE, type RecordsQuery, recordsPage } from './records';

interface Props {
  query: RecordsQuery;
  page: number;
  onPage(page: number): void;
  narrowed: boolean;
  onClear(): void;
}

export function useRecords(query: RecordsQuery, page: number, enabled = true) {
  return useQuery({
    queryKey: ['history', 'all', query, page],
    queryFn: ({ signal }) => recordsPage(query, page, signal),
    placeholderData: keepPreviousData,
    enabled,
  });
}

/** Changes of all records, newest first, grouped by day. */
export function RecordsFeed({ query, page, onPage, narrowed, onClear }: Props) {
  const result = useRecords(query, page);
  return (
    <FeedFrame
      result={result}
      pageSize={PAGE_SIZE}
      page={page}
      onPage={onPage}
      narrowed={narrowed}
      onClear={onClear}
      texts={{
        none: 'Every change of a record will be kept here.',
        noMatch: 'Choose other dates, another person or another kind of record.',
      }}
      skeleton={[52, 44, 60, 48, 56, 40].map((width) => (
        <div key={width} className={feed.item}>
          <Skeleton height={24} circle />
          <div className={feed.body}>
            <Skeleton height={11} width={`${width}%`} mt={7} mb={6} />
          </div>
        </div>
      ))}
      item={(item) => <RecordLine key={item.seq} item={item} />}
    />
  );
}
