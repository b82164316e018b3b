// Texts about a replay's result.
import { change, count, day, percent, plural } from '#/ui/format';
import { methodLabel } from '#/ui/methods';
import type { Policy, Result, Rule } from './api';
import { USUAL_LEVEL, USUAL_METHOD } from './ask';

export const methodOf = ({ method }: Pick<Policy, 'method'>): string => method || USUAL_METHOD;

export const levelOf = ({ serviceLevel }: Pick<Policy, 'serviceLevel'>): number =>
  serviceLevel ?? USUAL_LEVEL;

/** A share without trailing zeros: 95%, 99.5%. */
export const shareLabel = (share: number): string => `${Math.round(share * 1e4) / 100}%`;

/** Whole pesos: a simulation is not exact to the centavo. */
export const pesos = (value: number | null | undefined): string =>
  value == null ? '–' : `₱${count(Math.round(value))}`.replace('₱−', '−₱');

/** A policy's settings: «Aims at 95%, weekday average, lead 1 day». */
export function policyLabel(policy: Policy): string {
  if (policy.actual) return 'As it was ordered and received';
  const { leadDays, reviewDays, packs } = policy;
  return [
    `Aims at ${shareLabel(levelOf(policy))}`,
    methodLabel(methodOf(policy)).replace(/^./, (first) => first.toLowerCase()),
    leadDays == null ? '' : `lead ${plural(leadDays, 'day')}`,
    reviewDays == null ? '' : `review ${plural(reviewDays, 'day')}`,
    packs === false ? 'packs not counted' : '',
  ]
    .filter(Boolean)
    .join(', ');
}

export const actualOf = (result: Result): Policy | undefined =>
  result.policies.find(({ actual }) => actual);

/**
 * The verdict in a sentence: whether a policy had fewer stock-out days with no more stock than the actual orders, or
 * that none had.
 */
export function verdictLabel(result: Result): { tone: 'ok' | 'warn' | 'neutral'; words: string } {
  const actual = actualOf(result);
  if (!actual) {
    return {
      tone: 'neutral',
      words:
        'What was really ordered was not part of this replay, so the policies can only be compared with each other.',
    };
  }
  const better = result.policies.some(
    (policy) =>
      !policy.actual &&
      policy.outDays < actual.outDays &&
      policy.averageStockAmount <= actual.averageStockAmount,
  );
  const words = result.verdict ?? '';
  if (better) return { tone: 'ok', words };
  const closest = closestTo(actual, result.policies);
  return { tone: 'warn', words: closest ? `${words} ${closest}` : words };
}

/** Of the policies with fewer stock-outs the one with least stock; else the one with fewest stock-outs. */
function closestTo(actual: Policy, policies: readonly Policy[]): string {
  const others = policies.filter((policy) => !policy.actual);
  const fewer = others
    .filter(({ outDays }) => outDays < actual.outDays)
    .toSorted((a, b) => a.averageStockAmount - b.averageStockAmount)[0];
  if (fewer) {
    const more = fewer.averageStockAmount - actual.averageStockAmount;
    return `“${fewer.name}” had ${plural(actual.outDays - fewer.outDays, 'fewer day', 'fewer days')} out of stock, but ${pesos(more)} more stock.`;
  }
  const best = others.toSorted((a, b) => a.outDays - b.outDays)[0];
  if (!best) return '';
  const apart = best.averageStockAmount - actual.averageStockAmount;
  const stock =
    Math.abs(apart) < 1
      ? 'the same stock'
      : `${pesos(Math.abs(apart))} ${apart > 0 ? 'more' : 'less'} stock`;
  const days =
    best.outDays === actual.outDays
      ? 'as many days out of stock'
      : `${plural(best.outDays - actual.outDays, 'more day', 'more days')} out of stock`;
  return `The best of them, “${best.name}”, had ${days} and ${stock}.`;
}

/** The data behind the figures. */
export function groundLabels(result: Result): string[] {
  const { items, stores, series, leftOut, estimatedOpenings, unpriced, from, to } = result;
  const estimated = actualOf(result)?.estimatedAmount ?? result.policies[0]?.estimatedAmount ?? 0;
  return [
    `${plural(items, 'root item')} in ${plural(stores, 'store')}, ${count(series)} together, from ${day(from)} to ${day(to)}.`,
    leftOut > 0 && !result.conclusion
      ? `${count(leftOut)} of ${plural(leftOut + series, 'item of a store', 'items of stores')} could not be replayed.`
      : '',
    estimatedOpenings > 0
      ? `${plural(estimatedOpenings, 'opening stock was', 'opening stocks were')} never counted and ${estimatedOpenings === 1 ? 'is' : 'are'} estimated.`
      : '',
    unpriced > 0
      ? `${plural(unpriced, 'item of a store has', 'items of stores have')} no price and ${unpriced === 1 ? 'is' : 'are'} left out of amounts and service level.`
      : '',
    estimated > 0
      ? `${pesos(estimated)} of what was asked for is estimated, since the shelf was really empty.`
      : '',
  ].filter(Boolean);
}

/** One policy's result, as text next to the chart. */
export const replayedLabel = (policy: Policy): string =>
  `${policy.name}: ${plural(policy.outDays, 'day')} out of stock, ${pesos(policy.averageStockAmount)} of stock on average, service level ${percent(policy.fillRate)}.`;

/** A figure compared with the actual orders: +12%, or +5 days. */
export function against(
  value: number | null | undefined,
  base: number | null | undefined,
  how: 'count' | 'share' | 'points',
): string {
  if (value == null || base == null) return '';
  const apart = value - base;
  if (how === 'points') {
    const points = Math.round(apart * 1000) / 10;
    return points === 0 ? 'same' : `${points > 0 ? '+' : '−'}${Math.abs(points)} points`;
  }
  if (apart === 0) return 'same';
  if (how === 'count') return `${apart > 0 ? '+' : '−'}${count(Math.abs(apart))}`;
  return base === 0 ? '' : change(apart / base);
}

/** Whether a rule has a policy's settings. */
export const isInUse = (policy: Policy, rule: Rule | undefined): boolean =>
  rule !== undefined &&
  !policy.actual &&
  rule.serviceLevel != null &&
  Math.abs(rule.serviceLevel - levelOf(policy)) < 1e-6 &&
  (rule.method ?? '') === methodOf(policy) &&
  (policy.leadDays == null || rule.leadDays === policy.leadDays) &&
  (policy.reviewDays == null || rule.reviewDays === policy.reviewDays);
