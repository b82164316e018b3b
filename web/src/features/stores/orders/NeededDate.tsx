import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { request } from '#/api/client';
import { CutoffCountdown } from '#/documents/CutoffCountdown';
import { day as written } from '#/ui/format';

interface Props {
  storeId: string;
  sourceType: string;
  sourceId: string;
  value: string;
  onChange(day: string): void;
  error?: string | null;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `Tue 24 Nov 2026` */
export function withWeekday(date: string): string {
  return `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''} ${written(date)}`;
}

/** A store's possible delivery dates, each with the cut-off of its order. */
export function useDeliveryDates(storeId: string, sourceType: string, sourceId: string) {
  return useQuery({
    queryKey: ['stores', 'delivery-dates', storeId, sourceType, sourceId],
    queryFn: ({ signal }) =>
      request('GET', '/api/stores/delivery-dates', {
        query: { storeId, sourceType, sourceId },
        signal,
      }),
    enabled: storeId !== '' && sourceId !== '',
    staleTime: 60_000,
  });
}

/** The day an order is needed: one of the store's delivery dates. */
export function NeededDate({ storeId, sourceType, sourceId, value, onChange, error }: Props) {
  const { data } = useDeliveryDates(storeId, sourceType, sourceId);
  const open = data?.dates.filter((date) => date.open) ?? [];
  const chosen = open.find(({ date }) => date === value);
  useEffect(() => {
    const [first] = open;
    if (first && !chosen) onChange(first.date);
  });
  return (
    <div>
      <Select
        label="Needed on"
        data={open.map(({ date }) => ({ value: date, label: withWeekday(date) }))}
        value={chosen ? value : null}
        onChange={(date) => date && onChange(date)}
        allowDeselect={false}
        placeholder={data && open.length === 0 ? 'No delivery in the next weeks' : 'Choose a day'}
        error={error}
      />
      {chosen?.cutoffAt && <CutoffCountdown at={chosen.cutoffAt} />}
    </div>
  );
}
