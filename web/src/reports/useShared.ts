import { useStoreLabel } from './frame/useStoreLabel';
import type { ReportState } from './question/useReport';
import { span } from './question/weeks';

/** What is said under a picture that leaves the page: which days, which stores, what was looked for. */
export function useShared({ range, filters, q }: ReportState): string {
  const stores = useStoreLabel(filters);
  return [span(range), stores, q && `“${q}”`].filter(Boolean).join(' · ');
}
