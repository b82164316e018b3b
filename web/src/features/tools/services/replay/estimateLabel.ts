import { day, plural } from '#/ui/format';
import { lasted } from '../labels';
import type { Estimate } from './api';

/** «Takes about 12 s: 1,267 items of stores over 91 days, 26 Aug to 24 Nov 2026.» */
export function estimateLabel(
  { seconds, series, days, from, to }: Estimate,
  slow: boolean,
): string {
  if (series === 0) return 'Nothing was sold there in these days, so there is nothing to replay.';
  const takes = seconds < 1 ? 'Takes under a second' : `Takes about ${lasted(seconds * 1000)}`;
  const what = `${plural(series, 'item of a store', 'items of stores')} over ${plural(days, 'day')}, ${day(from)} to ${day(to)}`;
  const why = slow && seconds >= 10 ? ' Models are fitted again for every week.' : '';
  const leave = seconds >= 10 ? ' You can leave the page meanwhile.' : '';
  return `${takes}: ${what}.${why}${leave}`;
}
