import { describe, expect, it } from 'vitest';
import { type PageKey, pages } from '#/paths';
import { catalogue } from './catalogue';

/** Pages of sales and reports that are no report themselves. */
const NO_REPORT: readonly PageKey[] = ['reportCustomNew', 'salesNetsuiteImport'];

const listed = Object.values(catalogue)
  .flat()
  .flatMap(({ reports }) => reports.map(({ page }) => page));

describe('the reports page', () => {
  const all = (Object.keys(pages) as PageKey[]).filter(
    (key) => /^\/(reports|sales)\//.test(pages[key].path) && !pages[key].path.includes(':'),
  );

  it.each(all.filter((key) => !NO_REPORT.includes(key)))('lists %s', (key) => {
    expect(listed).toContain(key);
  });

  it('lists each page once', () => {
    expect(listed.filter((page, at) => listed.indexOf(page) !== at)).toEqual([]);
  });

  it('has the tender report and the certified monthly sales report among the standard ones', () => {
    const money = catalogue.standard.find(({ title }) => title === 'Money');
    expect(money?.reports.map(({ page }) => page)).toEqual([
      'salesTenderReport',
      'salesCmsr',
      'salesZReading',
      'salesNetsuite',
    ]);
  });
});
