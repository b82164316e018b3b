// What a form of an order is about: its source and the day it is needed, and whether that day can still be ordered for.
import type { PlacedOrder } from './types';

/** A source, and the day an order to it is needed. */
export interface OrderSubject {
  sourceType: string;
  sourceId: string;
  /** Null in forms kept before they had one. */
  neededDate: string | null;
}

/** The name of an order's form on the device: `commissary:c1:2026-11-28`. Devices hold these. */
export const subjectOf = ({
  sourceType,
  sourceId,
  neededDate,
}: {
  sourceType?: string | null;
  sourceId?: string | null;
  neededDate?: string | null;
}) => [sourceType ?? '', sourceId ?? '', neededDate].filter((part) => part != null).join(':');

/** The parts of a form's name. */
export function readSubject(subject: string): OrderSubject {
  const [, sourceType = '', sourceId = '', neededDate = null] =
    subject.match(/^([^:]*):(.*?)(?::(\d{4}-\d{2}-\d{2}))?$/) ?? [];
  return { sourceType, sourceId, neededDate };
}

/** The subject of a record with the day that it was for; earlier records name only the source. */
export function subjectWithDay(subject: string, body: Record<string, unknown> | undefined): string {
  const known = readSubject(subject);
  const day = body?.neededDate;
  return known.neededDate === null && typeof day === 'string'
    ? subjectOf({ ...known, neededDate: day })
    : subject;
}

/** Whether a draft can no longer be sent for its day in the ordinary way. */
export function isPast({ past, cutoffAt }: Pick<PlacedOrder, 'past' | 'cutoffAt'>, now: number) {
  return past || (cutoffAt != null && Date.parse(cutoffAt) <= now);
}
