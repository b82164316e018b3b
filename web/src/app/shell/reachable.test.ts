import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '#/features/reports/catalogue';
import { type PageKey, pages, spec } from '#/paths';
import { quickCreate, settings } from './menus';
import { sections } from './sections';

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8');

/** Pages reached from another page: the text in that page's code that links to them. */
const LED_TO: Partial<Record<PageKey, string>> = {
  listProposedPrices: 'features/lists/root-items/ProposedLink.tsx',
  commissaryStockTakes: 'features/commissary/production/page.tsx',
  commissarySupplierReturns: 'features/stores/receive/page.tsx',
  salesNetsuiteImport: 'features/sales/netsuite/page.tsx',
  toolsImportSalesRecords: 'features/tools/import-sales-product/page.tsx',
  toolsImportSalesTerminals: 'features/tools/import-sales-product/page.tsx',
  toolsImportSalesRootQty: 'features/tools/import-sales-product/page.tsx',
  toolsImportSalesIngest: 'features/tools/import-sales-product/page.tsx',
  toolsGetSalesApi: 'features/tools/services/page.tsx',
  toolsW3pIngest: 'features/tools/services/page.tsx',
  toolsTestApi: 'features/tools/services/page.tsx',
  ...Object.fromEntries(
    [
      'toolsMovingAverage',
      'toolsDailyMovingAverage',
      'toolsW3pMovingAverage',
      'toolsMonthlyForecast',
      'toolsWeeklyForecast',
      'toolsAdvancedForecast',
    ].map((key) => [key, 'features/tools/services/forecast/define.ts']),
  ),
  toolsForecastAccuracy: 'features/tools/services/page.tsx',
  toolsForecastEvents: 'features/tools/services/page.tsx',
  toolsForecastOverrides: 'features/tools/services/page.tsx',
  toolsOcr: 'features/tools/services/page.tsx',
  // The links of a tile and of a hub's card come from the server.
  dashboardWaiting: '../../crates/pages-home/src/tasks/model.rs',
  toolsDailySalesCoverage: '../../crates/pages-tools/src/services/coverage.rs',
  toolsReplay: '../../crates/pages-tools/src/replay/calculation.rs',
  toolsRootItemWeeklySnapshot: 'features/reports/root-item-weekly-snapshot/page.tsx',
  reportCustomNew: 'features/reports/custom/List.tsx',
};

describe('every page that is built', () => {
  const hub = read('features/lists/page.tsx');
  const menus = new Set<PageKey | undefined>([
    ...sections.flatMap(({ items }) => items.map(({ page }) => page)),
    ...[...quickCreate, ...settings].flatMap(({ entries }) => entries.map(({ page }) => page)),
    ...Object.values(catalogue)
      .flat()
      .flatMap(({ reports }) => reports.map(({ page }) => page)),
  ]);
  const built = (Object.keys(pages) as PageKey[]).filter(
    (key) => spec(key).built && !pages[key].path.includes(':'),
  );

  it.each(built)('%s is linked from more than the search', (key) => {
    const from = LED_TO[key];
    const named = [`'${key}'`, `pages.${key}.path`, `"${pages[key].path}"`];
    const there = from && read(from);
    expect(
      menus.has(key) ||
        hub.includes(`'${key}'`) ||
        (there && named.some((name) => there.includes(name))),
    ).toBe(true);
  });

  it('has the import of sales in its section, the settings and the reports', () => {
    const key: PageKey = 'toolsImportSales';
    expect(
      sections.find(({ name }) => name === 'Sales')?.items.some(({ page }) => page === key),
    ).toBe(true);
    expect(settings.some(({ entries }) => entries.some(({ page }) => page === key))).toBe(true);
    expect(catalogue.standard.some(({ reports }) => reports.some(({ page }) => page === key))).toBe(
      true,
    );
  });
});
