import { help, type PageHelp } from './types';

const report = (what: string, look: string): PageHelp =>
  help(
    what,
    ['Choose the days, the areas and the stores.', look, 'Print it, or export it as CSV or Excel.'],
    ['cells'],
  );

const builder: PageHelp = help(
  'Build your own report: choose the figures, how to group them and which days.',
  [
    'Type what you want to know, or choose it in the fields.',
    'Save the report under a name.',
    'Share it, or send it by mail every week.',
  ],
  ['builder', 'cells'],
);

export const reportHelp = {
  reports: help(
    'All reports, each with the question it answers. Your own reports are on the tab «Custom».',
    [
      'Find the question you have and open its report.',
      'Choose «New report» on «Custom» to build your own.',
      'Look at «Management» for the figures of the whole group.',
    ],
  ),
  reportSmbcd: report(
    'The share of each category in sales, day by day.',
    'Look for a category whose share changes.',
  ),
  reportCountCompliance: report(
    'Which stores count at opening and closing, and which are late or do not count.',
    'Open a missing count to see the store’s day.',
  ),
  reportCountVariance: report(
    'Where a count differs from what should have been there, and what it is worth.',
    'Start with the largest differences in pesos.',
  ),
  reportCountPeople: report(
    'Who counts how much, how often late, and with how many corrections.',
    'Look for people who count late or correct often, and open the figure to see those counts.',
  ),
  reportSalesByRootItems: report(
    'Which ingredients sales used most, and what changed since the period before.',
    'Compare the ranks with those before.',
  ),
  reportSalesTerminal: report(
    'How much went through each till: sales, receipts and the average ticket.',
    'Open a till to see its days.',
  ),
  reportWeeklyRootItemSales: report(
    'How much of each ingredient sales used, week by week.',
    'Open a figure to see the items that used it.',
  ),
  reportProductSalesByStore: report(
    'Which stores sell what, and for how much.',
    'Switch between quantity and net sales.',
  ),
  reportRootItemMovement: report(
    'What came into each store, what left it and what is there now, by ingredient.',
    'Switch to «By day» to find the day of a difference.',
  ),
  reportsRootItemWeeklySnapshot: report(
    'Stock and counts of each week as they were kept, by ingredient and store.',
    'Look for weeks where stock and count differ.',
  ),
  reportSalesComparison: report(
    'Sales against last week, last month or last year, also for the same stores and days only.',
    'Look at «like for like»: stores that were open in both.',
  ),
  reportFoodCost: report(
    'How much of each peso sold went into food: by recipes, and by what was really used.',
    'Look for ingredients used beyond the recipes.',
  ),
  reportOccupancy: report(
    'How much of each store’s sales goes into rent and other charges.',
    'Look for stores whose share is high.',
  ),
  reportStoreScorecard: report(
    'How stores compare: sales by space and seat, waste, counts and supplies.',
    'Compare a store with the median of its kind.',
  ),
  reportCustomNew: builder,
  reportCustomOne: builder,
} as const;
