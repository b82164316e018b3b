import { useStoreLabel } from './frame/useStoreLabel';
import type { ReportState } from './question/useReport';
import { span } from './question/weeks';

/** The caption of a shared picture: days, stores, filter. */
export function useShared({ range, filters, q }: ReportState): string {
  const stores = useStoreLabel(filters);
  return [span(range), stores, q && `“${q}”`].filter(Boolean).join(' · ');
}
