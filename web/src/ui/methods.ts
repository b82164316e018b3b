// Plain names of forecasting methods.

/** Methods users choose from; the server knows more, which the advanced forecast tries by itself. */
export const METHODS = [
  'dow_ma',
  'dow_ma4',
  'dow_ma_weighted',
  'sma28',
  'snaive',
  'weekly',
  'ses_opt',
  'ets_ANA',
  'dotm',
  'sba',
  'advanced',
] as const;

const NAMES: Readonly<Record<string, string>> = {
  naive: 'Last day repeated',
  rw_drift: 'Last day and trend',
  snaive: 'Last week repeated',
  hist_avg: 'Mean of all days',
  dow_ma: 'Weekday average',
  dow_ma_weighted: 'Weekday average, newer weeks count more',
  weekly: 'Average of whole weeks',
  monthly: 'Month, adjusted by last year',
  advanced: 'Best for each item',
  combined: 'Mean of several methods',
  croston: 'Croston',
  croston_opt: 'Croston, fitted',
  sba: 'Croston, corrected',
  adida: 'Blocks of days',
  imapa: 'Blocks of days, several sizes',
  override: 'Overrides',
};

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^dow_level/, 'Level and share of each weekday'],
  [/^sma(\d+)$/, 'Average of $1 days'],
  [/^swa_?(\d+)$/, 'Weekday average of $1 weeks'],
  [/^dow_ma(\d+)$/, 'Weekday average of $1 weeks'],
  [/^seas_es/, 'Smoothing by weekday'],
  [/^ses/, 'Simple smoothing'],
  [/^tsb/, 'Chance and size of a sale'],
  [/^ets_.*[AM]$/, 'Smoothing with weekdays'],
  [/^(auto_?)?ets/, 'Smoothing'],
  [/^(holt|hw)/, 'Smoothing with trend'],
  [/theta|^d?o?tm$|^otm|^dotm/, 'Theta'],
  [/^mstl/, 'Trend and weekdays apart'],
];

/** A method's plain name. */
export function methodLabel(method: string | null | undefined): string {
  if (!method) return '–';
  const known = NAMES[method];
  if (known) return known;
  for (const [family, words] of FAMILIES) {
    if (family.test(method))
      return method.match(family)?.[1] ? method.replace(family, words) : words;
  }
  return method;
}
