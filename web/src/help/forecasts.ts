import { help, type PageHelp } from './types';

const forecast = (what: string): PageHelp =>
  help(
    what,
    [
      'Choose stores, items and how many days ahead.',
      'Choose «Run now», then look at the chart.',
      'Choose «Accuracy» to see how good earlier forecasts were.',
    ],
    ['list'],
  );

/** Services and forecasts. */
export const forecastHelp = {
  toolsServices: help(
    'Calculations that run every night: forecasts, plans and checks, with their last result.',
    [
      'Look for one that failed, and read why.',
      'Choose «Run now» to run one at once.',
      'Choose «Schedule» to change when it runs.',
    ],
  ),
  toolsMovingAverage: forecast(
    'Forecasts each ingredient as the mean of the last days, the same for every day ahead.',
  ),
  toolsDailyMovingAverage: forecast(
    'Forecasts each weekday as the mean of the same weekday in the last weeks.',
  ),
  toolsW3pMovingAverage: forecast(
    'Forecasts each ingredient from the last days, counting only what W3P tills sold.',
  ),
  toolsMonthlyForecast: forecast(
    'Forecasts the coming months by weekdays, raised or lowered as this year differs from the last.',
  ),
  toolsWeeklyForecast: forecast(
    'Forecasts the coming weeks from the last four whole weeks, shared among weekdays.',
  ),
  toolsAdvancedForecast: forecast(
    'Forecasts with the method that was best for each store and item, holidays and paydays included.',
  ),
  toolsDailySalesCoverage: help(
    'Which days of sales are in for each store, and which are missing or incomplete.',
    [
      'Choose the month and look for missing days.',
      'Choose «Import sales» to bring a day in.',
      'Open a day that differs from its Z-reading.',
    ],
    ['cells'],
  ),
  toolsReplay: help(
    'Try a way of ordering on past days: how often would stores have run out, and how much would they have kept?',
    [
      'Choose stores, items and past days.',
      'Add the ways of ordering to compare.',
      'Choose «Use this policy» for the one that did best.',
    ],
    ['list'],
  ),
  toolsForecastAccuracy: help(
    'How far forecasts were from what was sold, by store, item and method.',
    [
      'Choose the days and how to group them.',
      'Look for items that are always too high or too low.',
      'Choose «Override» where you know more than past sales do.',
    ],
    ['list'],
  ),
  toolsForecastEvents: help(
    'Days that change sales: holidays, paydays, promotions and closures. Forecasts use them.',
    [
      'Choose «New event» for a day you know of.',
      'Say for which stores it counts.',
      'Leave its effect empty to use what was learned.',
    ],
    ['records'],
  ),
  toolsForecastOverrides: help(
    'Quantities that you set by hand in place of the forecast, such as for a closed street.',
    [
      'Choose «New override» with the store, item and days.',
      'Say why, so that others understand it.',
      'Delete one that is no longer right.',
    ],
    ['records'],
  ),
  toolsRootItemWeeklySnapshot: help(
    'Keeps each week’s stock figures as they were, so that reports of past weeks do not change.',
    [
      'Choose «Make» for a week that is over.',
      'Choose «Compare with now» to see what changed since.',
      'Choose «Freeze» when a week is final.',
    ],
    ['list'],
  ),
  toolsTransactionInsights: help(
    'What receipts tell: busy hours, the average ticket and what is bought together.',
    [
      'Choose the days and the stores.',
      'Look at the hours when most people come.',
      'Make a promotion of two items that are bought together.',
    ],
  ),
} as const;
