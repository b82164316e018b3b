import { help } from './types';

/** Imports, connectors and pictures. */
export const importHelp = {
  toolsImportSales: help(
    'Bring sales of the tills in, and see which days of which store are in or missing.',
    [
      'Drop the file of a till to import its sales.',
      'Answer what is not known yet: stores, tills and items.',
      'Look at the calendar of days for gaps.',
    ],
  ),
  toolsImportSalesBq: help(
    'Bring sales in from a table in Google BigQuery, on request or every night.',
    [
      'Enter the project and the table, or a query.',
      'Try it with one day before you switch it on.',
      'Look at the runs to see what came in.',
    ],
  ),
  toolsImportSalesRootQty: help(
    'Quantities of ingredients used per store and day, from a file, for sales that no till sends.',
    [
      'Drop a file with store, date, root item and quantity.',
      'Check every row before it is posted.',
      'Open an import to take it back.',
    ],
    ['list'],
  ),
  toolsImportSalesIngest: help(
    'Keys with which tills send their sales by themselves.',
    [
      'Choose «Make a key» and the stores it may send.',
      'Copy the key at once: it is not shown again.',
      'Choose «Revoke» when a till is gone or a key is lost.',
    ],
    ['list'],
  ),
  toolsImportSalesRecords: help(
    'Every file of sales that was uploaded, with what became of it.',
    [
      'Open a file to see its rows and problems.',
      'Go on with a file that is not posted yet.',
      'Open a posted file to revert it.',
    ],
    ['list'],
  ),
  toolsImportSalesTerminals: help(
    'What came in from each till in the chosen days, and tills that no store has.',
    [
      'Choose the days and the stores.',
      'Look for tills that are not known.',
      'Add a till to its store on the store’s own page.',
    ],
    ['list'],
  ),
  toolsImportSalesDay: help(
    'The sales of one store on one day, line by line.',
    [
      'Correct a line that came in wrong.',
      'Remove a line that is not a sale.',
      'Go to the day before or after.',
    ],
    ['list'],
  ),
  toolsImportData: help(
    'Bring lists in from a file: products, suppliers, stores, prices and more. An import can be undone.',
    [
      'Choose the list, and download its template if you need one.',
      'Say what each column means, then choose «Check every row».',
      'Look at the problem rows before anything is written.',
    ],
  ),
  toolsTestApi: help('All calls of Larder’s interface, for people who connect other programs.', [
    'Search for a call and read what it needs.',
    'Fill in its fields and choose «Send».',
    'Take care: a call that changes something changes it for real.',
  ]),
  toolsGetSalesApi: help(
    'Fetch sales from the interface of a till vendor, every night or on request.',
    [
      'Enter the address and how to sign in.',
      'Choose «Try it» and say which field is which.',
      'Switch it on, and look at the runs.',
    ],
  ),
  toolsW3pIngest: help('Take in sales that W3P tills send or lay down in a folder.', [
    'Choose how the sales come: sent, or in a watched folder.',
    'Set the signing secret in the till’s program as well.',
    'Look at the runs to see what came in.',
  ]),
  toolsOcr: help('Read the text or a table out of a picture or PDF.', [
    'Drop a picture or a PDF.',
    'Switch between text and table.',
    'Copy the result, or download it.',
  ]),
  toolsZReadingOcr: help(
    'Drop pictures of day-end slips. Each is read and put to its store and till.',
    [
      'Drop one or many pictures.',
      'Choose «Place» where the store is not known.',
      'Choose «All Z-readings» to check the figures.',
    ],
  ),
} as const;
