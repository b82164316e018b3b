import type { PageKey, ReportTab } from '#/paths';

export interface ReportEntry {
  name: string;
  /** The question it answers. */
  question: string;
  /** Absent without a page of its own. */
  page?: PageKey;
}

interface Group {
  title: string;
  reports: readonly ReportEntry[];
}

/** The reports by tab, each with the question it answers. */
export const catalogue: Readonly<Record<ReportTab, readonly Group[]>> = {
  standard: [
    {
      title: 'Sales',
      reports: [
        {
          name: 'Weekly root item sales',
          page: 'reportWeeklyRootItemSales',
          question: 'How much of each ingredient did sales use, week by week?',
        },
        {
          name: 'Product sales by store',
          page: 'reportProductSalesByStore',
          question: 'Which stores sell what, and for how much?',
        },
        {
          name: 'Sales by root items',
          page: 'reportSalesByRootItems',
          question: 'Which ingredients lead, and what changed since the period before?',
        },
        {
          name: 'Sales Mix By Category, Daily',
          page: 'reportSmbcd',
          question: 'What share has each category, day by day?',
        },
        {
          name: 'Sales by terminal',
          page: 'reportSalesTerminal',
          question: 'How much went through each till?',
        },
        {
          name: 'Import sales',
          page: 'toolsImportSales',
          question: 'Which days of which store are in, and which are missing?',
        },
      ],
    },
    {
      title: 'Money',
      reports: [
        {
          name: 'Tender report',
          page: 'salesTenderReport',
          question: 'How was each day paid, and is its money in the bank?',
        },
        {
          name: 'Certified monthly sales report',
          page: 'salesCmsr',
          question: 'What did a store sell in a month, as certified to its lessor?',
        },
        {
          name: 'Z-readings',
          page: 'salesZReading',
          question: 'Which tills closed their day, and does it agree with the sales?',
        },
        {
          name: 'NetSuite',
          page: 'salesNetsuite',
          question: 'Which days of sales are in the books?',
        },
      ],
    },
    {
      title: 'Stock',
      reports: [
        {
          name: 'Root item movement by store',
          page: 'reportRootItemMovement',
          question: 'What came into and left each store?',
        },
        {
          name: 'Count variance',
          page: 'reportCountVariance',
          question: 'Where is what was counted not what should have been there?',
        },
        {
          name: 'Root item weekly snapshot',
          page: 'reportsRootItemWeeklySnapshot',
          question: 'Where did stock and count part ways each week?',
        },
      ],
    },
  ],
  // User-defined reports are listed by their own part of the page.
  custom: [],
  management: [
    {
      title: 'Management',
      reports: [
        {
          name: 'Sales against previous period',
          page: 'reportSalesComparison',
          question:
            'Is the group growing against last week and last year, like for like, and where?',
        },
        {
          name: 'Food cost',
          page: 'reportFoodCost',
          question: 'How much of each peso sold went into food?',
        },
        {
          name: 'Occupancy cost',
          page: 'reportOccupancy',
          question: 'How much of each store’s sales does its rent take?',
        },
      ],
    },
  ],
  performance: [
    {
      title: 'Stores',
      reports: [
        {
          name: 'Store scorecard',
          page: 'reportStoreScorecard',
          question:
            'Which stores make the most of their space, seats and people, and how are they supplied?',
        },
        {
          name: 'Count compliance',
          page: 'reportCountCompliance',
          question: 'Which stores count when they should?',
        },
        {
          name: 'Who counted',
          page: 'reportCountPeople',
          question: 'Who counts how much, and how much of it late?',
        },
      ],
    },
  ],
};
