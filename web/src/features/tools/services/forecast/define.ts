// The six forecast services: one engine, six declarations.
import type { PageKey } from '#/paths';
import type { Grain } from './grain';

export interface MethodChoice {
  /** The server's name. */
  value: string;
  label: string;
}

/** A forecast service's page settings. */
export interface ForecastDef {
  service: string;
  page: PageKey;
  title: string;
  /** Its method as a sentence. */
  how: string;
  /** The first is the default; empty if there is only one method. */
  methods: readonly MethodChoice[];
  /** Days ahead to choose from, and the default. */
  horizons: readonly number[];
  horizon: number;
  /** A specific reason for a run without results. */
  nothing?: string;
  /** The chart's default grouping. */
  grain: Grain;
}

const AVERAGES: readonly MethodChoice[] = [
  { value: 'sma28', label: 'Last 28 days' },
  { value: 'sma7', label: 'Last 7 days' },
  { value: 'sma14', label: 'Last 14 days' },
  { value: 'sma56', label: 'Last 56 days' },
];

export const forecasts = {
  movingAverage: {
    service: 'moving-average',
    page: 'toolsMovingAverage',
    title: 'Moving average',
    how: 'The mean of the last days, the same for every day ahead.',
    methods: AVERAGES,
    horizons: [7, 14, 28],
    horizon: 14,
    grain: 'day',
  },
  dailyMovingAverage: {
    service: 'daily-moving-average',
    page: 'toolsDailyMovingAverage',
    title: 'Daily moving average',
    how: 'For each weekday, the mean of the same weekday in the last weeks.',
    methods: [
      { value: 'dow_ma', label: 'Last 8 weeks' },
      { value: 'dow_ma4', label: 'Last 4 weeks' },
      { value: 'dow_ma_weighted', label: 'Newer weeks count more' },
    ],
    horizons: [7, 14, 28],
    horizon: 14,
    grain: 'day',
  },
  w3pMovingAverage: {
    service: 'w3p-root-item-moving-average',
    page: 'toolsW3pMovingAverage',
    title: 'W3P root item moving average',
    how: 'The mean of the last days, counting only what W3P tills sold.',
    nothing:
      'No sales of W3P tills are imported for the chosen stores, items and days. Import them first, or use «Moving average», which counts all tills.',
    methods: AVERAGES,
    horizons: [7, 14, 28],
    horizon: 14,
    grain: 'day',
  },
  monthlyForecast: {
    service: 'monthly-forecast',
    page: 'toolsMonthlyForecast',
    title: 'Monthly forecast',
    how: 'The coming month by weekdays, raised or lowered as this year differs from the last.',
    methods: [],
    horizons: [31, 62, 92],
    horizon: 31,
    grain: 'month',
  },
  weeklyForecast: {
    service: 'weekly-forecast',
    page: 'toolsWeeklyForecast',
    title: 'Weekly forecast',
    how: 'The mean of the last four whole weeks, shared among weekdays.',
    methods: [],
    horizons: [7, 14, 28, 56],
    horizon: 28,
    grain: 'week',
  },
  advancedForecast: {
    service: 'advanced-forecast',
    page: 'toolsAdvancedForecast',
    title: 'Advanced forecast',
    how: 'For every item of every store the method that fits how it sells, with paydays, holidays and promotions.',
    methods: [
      { value: 'advanced', label: 'Best for each item' },
      { value: 'dow_ma', label: 'Weekday average' },
      { value: 'ets_ANA', label: 'Smoothing with weekdays' },
      { value: 'dotm', label: 'Theta' },
      { value: 'sba', label: 'Croston, corrected' },
    ],
    horizons: [7, 14, 28],
    horizon: 28,
    grain: 'day',
  },
} as const satisfies Record<string, ForecastDef>;
