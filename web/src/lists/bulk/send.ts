import type { Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import type { ListApi } from '../api';

export interface SentInParts {
  done: { id: string; revision: number }[];
  failed: { name: string; why: string }[];
}

/** Most records per request. */
const TOGETHER = 1000;

/** Sends one change of many records, in as many requests as needed. */
export async function sendInParts<T extends Saved>(
  api: Pick<ListApi<T>, 'bulk'>,
  records: readonly T[],
  change: Wire,
  label: (record: T) => string,
): Promise<SentInParts> {
  const sent: SentInParts = { done: [], failed: [] };
  for (let i = 0; i < records.length; i += TOGETHER) {
    const part = records.slice(i, i + TOGETHER).map(({ id, revision }) => ({ id, revision }));
    const { done, failed } = await api.bulk(part, change);
    sent.done.push(...done.map(({ id, revision }) => ({ id, revision })));
    sent.failed.push(
      ...failed.map(({ id, detail, fields }) => {
        const record = records.find((one) => one.id === id);
        return { name: record ? label(record) : id, why: fields?.[0]?.message ?? detail };
      }),
    );
  }
  return sent;
}
