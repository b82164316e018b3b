import { describe, expect, it } from 'vitest';
import { csvOf } from '#/ui/csv';
import type { Catalogue } from './api';
import { parseCsv } from './csv';
import { dayLabel, describeDevice, eventText, initials, timeAgo } from './labels';
import { importView } from './people/importView';
import {
  difference,
  everyRight,
  isRight,
  joinWords,
  neededApp,
  rightName,
  summary,
  toGrants,
  toggleRights,
  toRightSet,
  withApp,
} from './rights';
import { ALL, decodeStores, encodeStores, NONE, storesForRole, storesLabel } from './stores';

const catalogue: Catalogue = {
  categories: [
    {
      key: 'stores',
      label: 'Stores',
      pages: [
        { key: 'storeList', label: 'Locations', actions: ['view', 'create', 'edit'] },
        { key: 'storeCount', label: 'Store count', actions: ['view', 'count', 'unlock'] },
      ],
    },
    {
      key: 'reports',
      label: 'Reports',
      pages: [{ key: 'reports', label: 'Reports', actions: ['view', 'export'] }],
    },
  ],
};
const free = () => true;

describe('rights', () => {
  it('are the same as a map and as a set', () => {
    const rights = everyRight(catalogue);
    expect(rights).toHaveLength(8);
    expect([...toRightSet(toGrants(rights))].sort()).toEqual([...rights].sort());
    expect(toRightSet({ stores: { storeList: { view: true, edit: false } } })).toEqual(
      new Set(['stores/storeList:view']),
    );
    expect(rights.every(isRight)).toBe(true);
    expect(isRight('description')).toBe(false);
  });

  it('include `view` with the first right, and go with it', () => {
    const one = toggleRights(new Set(), ['stores/storeList:edit'], true, free);
    expect([...one].sort()).toEqual(['stores/storeList:edit', 'stores/storeList:view']);
    const other = toggleRights(
      new Set([...one, 'reports/reports:view']),
      ['stores/storeList:view'],
      false,
      free,
    );
    expect([...other]).toEqual(['reports/reports:view']);
  });

  it('keep locked ones unchanged', () => {
    const locked = (name: string) => !name.startsWith('reports/');
    const all = toggleRights(new Set(), everyRight(catalogue), true, locked);
    expect([...all].some((name) => name.startsWith('reports/'))).toBe(false);
    // Without `view` the page's other rights are useless.
    const noView = (name: string) => name !== 'stores/storeCount:view';
    expect(toggleRights(new Set(), ['stores/storeCount:count'], true, noView).size).toBe(0);
  });

  it('report added and removed rights', () => {
    const before = new Set(['a/b:view', 'a/b:edit']);
    expect(difference(before, new Set(['a/b:view', 'a/b:delete']))).toEqual({
      added: ['a/b:delete'],
      removed: ['a/b:edit'],
    });
  });

  it('are summed up in a line', () => {
    expect(summary({}, catalogue)).toBe('Allows nothing yet.');
    expect(summary(toGrants(everyRight(catalogue)), catalogue)).toBe('Everything.');
    const rights = [
      ...everyRight(catalogue).filter((name) => name.startsWith('stores/')),
      'reports/reports:view',
    ];
    expect(summary(toGrants(rights), catalogue)).toBe('Everything in Stores. Sees Reports.');
    expect(summary(toGrants(['stores/storeList:view', 'stores/storeList:edit']), catalogue)).toBe(
      'Works in Stores.',
    );
    const apps: Catalogue = {
      categories: [
        ...catalogue.categories,
        {
          key: 'apps',
          label: 'Apps',
          pages: [{ key: 'storeCount', label: 'Store count', actions: ['view'] }],
        },
      ],
    };
    expect(summary(toGrants(['reports/reports:view', 'apps/storeCount:view']), apps)).toBe(
      'Sees Reports. Opens Store count.',
    );
    expect(rightName('apps/storeCount:view', apps)).toBe('Open the Store count app');
    expect(rightName('stores/storeList:edit', catalogue)).toBe('Edit Locations');
    expect(joinWords(['a', 'b', 'c'])).toBe('a, b and c');
  });
});

describe('the app right', () => {
  const count = 'stores/storeCount:count';
  const list = 'lists/allLists:view';
  const office = 'apps/backOffice:view';
  const app = 'apps/storeCount:view';
  it("is the count app's for counts alone, else the back office's", () => {
    const of = (...rights: string[]) => neededApp(new Set(rights));
    expect(of()).toBeNull();
    expect(of(app)).toBeNull();
    expect(of(count)).toBe(app);
    expect(of(count, app)).toBeNull();
    expect(of(count, list, app)).toBe(office);
    expect(of(count, list, office)).toBeNull();
  });

  it('comes with the first right that needs it, unless it is locked or was removed', () => {
    const all = () => true;
    expect([...withApp(new Set(), new Set([list]), all)]).toEqual([list, office]);
    expect([...withApp(new Set(), new Set([list]), () => false)]).toEqual([list]);
    expect([...withApp(new Set([list, office]), new Set([list]), all)]).toEqual([list]);
    expect([...withApp(new Set(), new Set([app]), all)]).toEqual([app]);
  });
});

describe('device names', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';
  it.each([
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`,
      'Chrome on Windows',
      'computer',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/141.0`,
      'Edge on Windows',
      'computer',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18.1 Safari/605.1',
      'Safari on Mac',
      'computer',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605 CriOS/141 Mobile Safari/604',
      'Chrome on iPhone',
      'phone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-A155F) ${chrome} Mobile Safari/537.36`,
      'Chrome on Android phone',
      'phone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 13; SM-X200) AppleWebKit/537.36 SamsungBrowser/26.0 Chrome/122 Safari/537.36',
      'Samsung Internet on Android tablet',
      'tablet',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Firefox on Linux',
      'computer',
    ],
    ['curl/8.14.1', 'curl', 'program'],
    ['', 'Unknown device', 'computer'],
  ])('%s', (agent, words, form) => {
    expect(describeDevice(agent)).toEqual({ words, form });
  });
});

describe('times and names', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  it('are relative for a week', () => {
    expect(timeAgo(null, now)).toBe('Never');
    expect(timeAgo('2026-11-20T11:59:40Z', now)).toBe('Just now');
    expect(timeAgo('2026-11-20T11:20:00Z', now)).toBe('40 min ago');
    expect(timeAgo('2026-11-20T03:00:00Z', now)).toBe('9 h ago');
    expect(timeAgo('2026-11-19T03:00:00Z', now)).toBe('Yesterday');
    expect(timeAgo('2026-11-16T03:00:00Z', now)).toBe('4 days ago');
    expect(timeAgo('2026-10-01T20:00:00Z', now)).toBe('2 Oct 2026');
  });

  it("belong to the stores' days", () => {
    expect(dayLabel('2026-11-19T17:00:00Z', now)).toBe('Today');
    expect(dayLabel('2026-11-19T15:00:00Z', now)).toBe('Yesterday');
    expect(dayLabel('2026-11-01T15:00:00Z', now)).toBe('1 Nov 2026');
  });

  it('shorten to initials', () => {
    expect(initials('Ana Maria Cruz')).toBe('AC');
    expect(initials('', 'kim@larder.example')).toBe('K');
    expect(eventText('tokenReused').tone).toBe('danger');
    expect(eventText('somethingElse').words).toBe('Something else');
  });
});

describe("a user's stores", () => {
  it('distinguish all from none', () => {
    for (const ids of [null, [], ['a'], ['a', 'b']])
      expect(decodeStores(encodeStores(ids))).toEqual(ids);
    expect(encodeStores(['b', 'a'])).toBe(encodeStores(['a', 'b']));
    const nameOf = (id: string) => ({ a: 'Makati', b: 'Cebu' })[id];
    expect(storesLabel(null, nameOf).text).toBe('All stores');
    expect(storesLabel([], nameOf).text).toBe('No store');
    expect(storesLabel(['a'], nameOf).text).toBe('Makati');
    expect(storesLabel(['a', 'b'], nameOf)).toEqual({ text: '2 stores', title: 'Cebu\nMakati' });
  });
});

describe('import rows', () => {
  const text =
    'email,name,role\r\nana@x.example,"Cruz, Ana",Cashier\r\n\r\nbad,"Bo ""B""",Cashierr\r\n';

  it('parse quotes, blank lines and semicolons', () => {
    expect(parseCsv(text)).toEqual([
      ['email', 'name', 'role'],
      ['ana@x.example', 'Cruz, Ana', 'Cashier'],
      ['bad', 'Bo "B"', 'Cashierr'],
    ]);
    expect(parseCsv('a;b\n1;"x;y"')).toEqual([
      ['a', 'b'],
      ['1', 'x;y'],
    ]);
    expect(parseCsv(csvOf([['=1+1', 'a,b']]))).toEqual([["'=1+1", 'a,b']]);
  });

  it('have errors at their cells, and failed rows in a separate file', () => {
    const view = importView(text, {
      created: 1,
      updated: 0,
      unchanged: 0,
      failed: 1,
      rows: [
        { row: 2, email: 'ana@x.example', outcome: 'created', message: '', fields: [] },
        {
          row: 4,
          email: 'bad',
          outcome: 'failed',
          message: '',
          fields: [{ field: 'role', message: 'No role has this name.' }],
        },
      ],
    });
    expect(view.columns).toEqual(['email', 'name', 'role']);
    expect(view.lines[1]?.cells).toEqual(['bad', 'Bo "B"', 'Cashierr']);
    expect(view.lines[1]?.wrong).toEqual({ role: 'No role has this name.' });
    expect(parseCsv(view.failedCsv)).toEqual([
      ['email', 'name', 'role', 'problem'],
      ['bad', 'Bo "B"', 'Cashierr', 'role: No role has this name.'],
    ]);
  });
});

describe('the stores after a role was chosen', () => {
  it('start with none for a role of a store', () => {
    expect(storesForRole(ALL, true, ALL)).toBe(NONE);
    expect(storesForRole(ALL, true, null)).toBe(NONE);
    expect(storesForRole('s1,s2', true, ALL)).toBe('s1,s2');
  });

  it('are all again for another role, if none was chosen and the user is new', () => {
    expect(storesForRole(NONE, false, ALL)).toBe(ALL);
    expect(storesForRole(NONE, false, null)).toBe(NONE);
    expect(storesForRole('s1', false, ALL)).toBe('s1');
  });
});
