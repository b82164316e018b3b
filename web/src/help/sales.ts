import { help } from './types';

/** Home and sales. */
export const salesHelp = {
  dashboardMain: help(
    'Your day at a glance: sales, what waits for you, and what changed since you were last here.',
    [
      'Choose a tile to open what is behind it.',
      'Open the list of what waits and work from the top.',
      'Choose «Arrange» to put the tiles in your own order.',
    ],
  ),
  dashboardWaiting: help(
    'All that waits for you of one kind, such as orders to approve or work that failed.',
    [
      'Open a line to do what it asks.',
      'Look for the lines marked late.',
      'A line goes away by itself once it is done.',
    ],
    ['list'],
  ),
  dashboardDrpNew: help(
    'What each store and kitchen should order, day by day, so that nothing runs out.',
    [
      'Choose a store to see what it needs and when.',
      'Open a line to see its stock day by day.',
      'Choose «Plan now» to plan again with the latest figures.',
    ],
    ['list'],
  ),
  salesZReading: help(
    'The day-end slips of all tills: which are in, which are missing, and whether they agree with the sales.',
    [
      'Drop pictures of slips, or choose «New reading».',
      'Open a reading that is to be reviewed.',
      'Look at the chain of a till: every counter should go on by one.',
    ],
    ['list', 'readings'],
  ),
  salesZReadingOne: help(
    'One day-end slip beside its picture. Check the figures, then verify it.',
    [
      'Compare each marked field with the picture.',
      'Look at «What fails»: which sums do not agree, and why.',
      'Verify it and go on to the next one.',
    ],
    ['readings'],
  ),
  salesCmsr: help(
    'The certified monthly sales report of a store for its lessor, from gross sales to rent.',
    [
      'Choose the store and the month.',
      'Look at the days that differ, and say which sales count.',
      'Choose «Certify», print it, then «Submit».',
    ],
    ['list'],
  ),
  salesTenderReport: help(
    'How each day was paid, and whether its money reached the bank.',
    [
      'Choose «Enter a deposit» with the slip of the bank.',
      'Load a settlement file of cards or wallets.',
      'Look at the days where money is missing.',
    ],
    ['list'],
  ),
  salesNetsuite: help(
    'Days of sales on their way to NetSuite: what is ready, what is blocked and what was sent.',
    [
      'Look at what blocks a day and mend it.',
      'Choose «Store sales import» to make the file.',
      'Choose «Columns» to change what the file has.',
    ],
    ['list'],
  ),
  salesNetsuiteImport: help('Files of sales for NetSuite, and what NetSuite answered.', [
    'Export the days that are ready.',
    'Load the file into NetSuite.',
    'Drop the file with the results here, so that each day is marked.',
  ]),
} as const;
