import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Me } from '#/api/session';
import { type PageKey, pages, spec } from '#/paths';
import known from '../../../../testdata/questions.json';
import { answersTo, type Question, understood } from './question';
import { WAYS } from './questionWays';

const everybody = { user: { superAdmin: true }, permissions: {} } as unknown as Me;
const nobody = { user: { superAdmin: false }, permissions: {} } as unknown as Me;
const question = (more: Partial<Question>): Question => ({
  topic: 'sales',
  stores: [],
  areas: [],
  unknown: [],
  ...more,
});
const makati = [
  { id: 's1', name: 'Makati Ayala' },
  { id: 's2', name: 'Makati Legazpi' },
];
const lastWeek = { from: '2026-11-16', to: '2026-11-22', named: 'last-week' };
const senior = question({ topic: 'discounts', discount: 'senior', stores: makati, days: lastWeek });

describe('a question in plain words', () => {
  it('links to the reports that answer it, with stores and days', () => {
    const asked = question({ stores: makati, days: lastWeek });
    expect(answersTo(asked, everybody).map(({ path }) => path)).toEqual([
      '/reports/product-sales-by-store?range=last-week&stores=s1%2Cs2&measure=net',
      '/reports/smbcd?range=last-week&stores=s1%2Cs2',
    ]);
    expect(understood(asked)).toBe('Makati Ayala, Makati Legazpi · Last week');
  });

  it('names the item and the words it did not understand', () => {
    const items = { q: 'chicken', rootItems: 2, posItems: 0, products: 0 };
    const days = { from: '2026-10-01', to: '2026-10-31' };
    const asked = question({ topic: 'waste', items, days, unknown: ['zzz'] });
    expect(answersTo(asked, everybody)[0]?.path).toBe(
      '/reports/root-item-movement-by-store?from=2026-10-01&to=2026-10-31&q=chicken',
    );
    expect(understood(asked)).toBe('“chicken” · 1 – 31 Oct 2026 · not understood: zzz');
  });

  it('says what a page leaves out', () => {
    // The list of readings has one store, the calendar several.
    const list = question({ topic: 'readings', stores: makati, days: lastWeek });
    expect(answersTo(list, everybody)[0]?.note).toBe(
      'Last week · not on this page: Makati Ayala, Makati Legazpi',
    );
    const missing = question({ topic: 'readings', only: 'missing', stores: makati });
    expect(answersTo(missing, everybody)[0]?.note).toBe('Makati Ayala, Makati Legazpi · missing');
    const compared = question({ topic: 'foodCost', days: lastWeek, against: 'yearBefore' });
    expect(answersTo(compared, everybody)[0]?.note).toBe(
      'Last week · not on this page: against the year before',
    );
    expect(answersTo(senior, everybody)[0]?.note).toBe(
      'Makati Ayala, Makati Legazpi · senior discount · Last week',
    );
  });

  it('takes discounts by law from Z-readings that count, which every store has, if the user may', () => {
    const definition = (me: Me) => {
      const { searchParams } = new URL(answersTo(senior, me)[0]?.path ?? '', 'http://a');
      return JSON.parse(searchParams.get('d') ?? '{}');
    };
    expect(definition(everybody)).toMatchObject({
      dataset: 'readings',
      measures: [{ field: 'senior', rule: 'sum' }],
      filters: [{ field: 'store' }, { field: 'state', values: ['verified', 'reconciled'] }],
    });
    const reports = {
      user: { superAdmin: false },
      permissions: { reports: { reports: { view: true, create: true } } },
    } as unknown as Me;
    expect(definition(reports)).toMatchObject({ dataset: 'receipts' });
  });

  it('links only to pages the user may open, and to the next best', () => {
    expect(answersTo(question({ stores: makati }), nobody)).toEqual([]);
    const missing = question({ only: 'missing', days: lastWeek });
    const importer = {
      user: { superAdmin: false },
      permissions: { tools: { importSalesProduct: { view: true } } },
    } as unknown as Me;
    expect(answersTo(missing, importer).map(({ path }) => path)).toEqual([
      '/tools/import-sales-product?from=2026-11-16&to=2026-11-22',
    ]);
  });
});

describe('the known phrases', () => {
  /** As the server answers it, where the stores and items of the file exist. */
  function asked(said: Record<string, unknown>): Question {
    const { days, names = [], ...more } = said as { days?: string; names?: string[] };
    const words = names.flatMap((name) => name.split(' '));
    const store = (word: string) => known.stores.find((name) => name.toLowerCase() === word);
    const item = words.find((word) => !store(word));
    return question({
      ...(more as Partial<Question>),
      topic: (more as Partial<Question>).topic ?? 'sales',
      days: days ? (NAMED[days] ?? between(days)) : undefined,
      stores: words.flatMap((word) => {
        const name = store(word);
        return name ? [{ id: word, name }] : [];
      }),
      items: item ? { q: item, rootItems: 1, posItems: 0, products: 0 } : undefined,
    });
  }
  const between = (days: string) => {
    const [from = '', to = ''] = days.split('..');
    return { from, to };
  };
  const range = (named: string, from: string, to: string) => ({ [named]: { named, from, to } });
  const NAMED: Record<string, Question['days']> = {
    ...range('this-week', '2026-11-23', '2026-11-24'),
    ...range('last-week', '2026-11-16', '2026-11-22'),
    ...range('last-4-weeks', '2026-10-26', '2026-11-22'),
    ...range('this-month', '2026-11-01', '2026-11-24'),
    ...range('last-month', '2026-10-01', '2026-10-31'),
    ...range('this-year', '2026-01-01', '2026-11-24'),
  };

  it.each(known.questions)('$q', ({ understood: said, page, params }) => {
    const [best] = answersTo(asked(said), everybody);
    const [path, search] = best?.path.split('?') ?? [];
    const found = Object.fromEntries(
      [...new URLSearchParams(search)].map(([name, value]) => [
        name,
        name === 'd' ? JSON.parse(value) : value,
      ]),
    );
    expect({ path, params: found }).toEqual({ path: pages[page as PageKey].path, params });
    expect(best?.note).not.toContain('not on this page');
  });
});

describe('the parameters of an answer', () => {
  const src = resolve(import.meta.dirname, '../..');
  const read = (file: string) => readFileSync(join(src, file), 'utf8');
  /** Where pages read parameters besides their own folders. */
  const shared = [
    'table/useTableState.ts',
    'reports/question/ranges.ts',
    'reports/question/useReport.ts',
    'documents/DocumentList.tsx',
    'features/reports/storeRows.ts',
  ]
    .map(read)
    .join('\n');
  const ways = Object.values(WAYS).flat();
  const used = new Set(ways.map(({ page }) => page));

  it.each([...used])('%s reads them', (page) => {
    const folder = `features${pages[page].path.replace(/\/new$/, '')}`;
    const code = readdirSync(join(src, folder))
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .map((file) => read(join(folder, file)))
      .join('\n');
    for (const name of spec(page).reads ?? []) {
      // As a parameter's name, or as that of a report's choice.
      expect(`${code}\n${shared}`, name).toMatch(new RegExp(`'${name}'|\\b${name}: \\{`));
    }
    const every = question({
      stores: [{ id: 's1', name: 'Makati' }],
      areas: [{ id: 'a1', name: 'South' }],
      items: { q: 'chicken', rootItems: 1, posItems: 0, products: 0 },
      days: { from: '2026-11-23', to: '2026-11-23' },
      rank: { end: 'top' },
      discount: 'senior',
      tender: 'cash',
      against: 'yearBefore',
      by: 'area',
    });
    for (const { fixed, parts = [] } of ways.filter((way) => way.page === page)) {
      const given = [fixed ?? {}, ...parts.map(({ of }) => of(every))];
      const names = given.flatMap((params) => Object.keys(params));
      expect(spec(page).reads ?? []).toEqual(expect.arrayContaining(names));
    }
  });
});
