import { useQuery } from '@tanstack/react-query';
import type { components } from '#/api/schema.gen';
import { useCan } from '#/api/session';
import { deliveriesApi, deliveryDef } from '#/documents/deliveries';

type Head = components['schemas']['DeliveryHead'];

/** A delivery that has not left. */
export interface OpenDelivery {
  id: string;
  deliveryNo: string;
  orderIds: readonly string[];
}

const NONE: OpenDelivery[] = [];

/** A kitchen's deliveries that have not left; those of every place without one. */
export function useOpenDeliveries(commissaryId = ''): readonly OpenDelivery[] {
  const may = useCan(deliveryDef.page);
  const { data } = useQuery({
    queryKey: [...deliveryDef.key, 'not-left', commissaryId],
    queryFn: async ({ signal }) => {
      const asked = { status: 'draft,picking,packed', sourceId: commissaryId || undefined };
      return (await deliveriesApi.all(asked, signal)) as Head[];
    },
    enabled: may,
  });
  return data ?? NONE;
}
