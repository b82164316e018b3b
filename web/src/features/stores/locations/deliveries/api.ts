import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import { SETUP } from '../setup/api';

export type DeliveryRule = components['schemas']['DeliveryRule'];
export type RuleDraft = components['schemas']['DeliveryRuleDraft'];

const KEY = ['stores', 'delivery-calendar'];

/** The delivery rules of a store, or of all the user's stores. */
export function useDeliveryRules(storeId = '') {
  return useQuery({
    queryKey: [...KEY, storeId],
    queryFn: ({ signal }) =>
      request('GET', '/api/stores/delivery-calendar', {
        query: { storeId: storeId || undefined },
        signal,
      }),
  });
}

const changed = () => {
  void queries.invalidateQueries({ queryKey: KEY });
  void queries.invalidateQueries({ queryKey: ['stores', 'delivery-dates'] });
  void queries.invalidateQueries({ queryKey: SETUP });
};

const pathOf = ({ storeId, sourceType, sourceId }: Source) => ({
  path: { storeId, sourceType, sourceId },
});

export interface Source {
  storeId: string;
  sourceType: string;
  sourceId: string;
}

export async function setRule(source: Source, draft: RuleDraft): Promise<DeliveryRule> {
  try {
    return await request('PUT', '/api/stores/delivery-calendar/{storeId}/{sourceType}/{sourceId}', {
      ...pathOf(source),
      json: draft,
    });
  } finally {
    changed();
  }
}

export async function removeRule(source: Source): Promise<void> {
  try {
    await request(
      'DELETE',
      '/api/stores/delivery-calendar/{storeId}/{sourceType}/{sourceId}',
      pathOf(source),
    );
  } finally {
    changed();
  }
}

export async function applyRule(
  storeIds: string[],
  { sourceType, sourceId }: Omit<Source, 'storeId'>,
  rule: RuleDraft,
): Promise<void> {
  try {
    await request('POST', '/api/stores/delivery-calendar/apply', {
      json: { storeIds, sourceType, sourceId, rule },
    });
  } finally {
    changed();
  }
}

/** `until 16:00, 1 day before` */
export function cutoffLabel({ cutoffTime, cutoffDays }: DeliveryRule): string {
  const before =
    cutoffDays === 0
      ? 'the same day'
      : cutoffDays === 1
        ? 'the day before'
        : `${cutoffDays} days before`;
  return `${cutoffTime} ${before}`;
}
