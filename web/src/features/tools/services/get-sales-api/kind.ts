import type { ApiSettings } from '#/connectors/api';
import type { Kind } from '#/connectors/kind';
import { ApiFields } from './ApiFields';
import { apiFaults } from './faults';

const SECRETS: Readonly<Record<ApiSettings['auth']['kind'], [string, string] | null>> = {
  none: null,
  header: ['token', 'Value of the header'],
  bearer: ['token', 'Token'],
  basic: ['password', 'Password'],
  oAuth: ['clientSecret', 'Client secret'],
};

/** Any JSON API. */
export const apiKind: Kind<ApiSettings> = {
  base: '/api/tools/services/get-sales-api',
  one: 'API connector',
  blank: {
    kind: 'api',
    url: '',
    method: 'GET',
    headers: [],
    auth: { kind: 'none' },
    paging: { kind: 'none' },
    reading: {
      fields: {},
      key: null,
      dateFormat: 'ymd',
      decimal: '.',
      priceMeans: 'unit',
      storeId: null,
    },
    againDays: 3,
    daysAtOnce: 1,
  },
  secretOf({ auth }) {
    const secret = SECRETS[auth.kind];
    return secret && { name: secret[0], label: secret[1] };
  },
  dated: ({ url, body }) => `${url}${body ?? ''}`.includes('{date}'),
  runs: true,
  fields: ApiFields,
  faults: apiFaults,
  roles: ({ paging }) => [
    { value: 'key', label: 'Tells records apart' },
    { value: 'cursor', label: 'Next cursor' },
    { value: 'next', label: "Next page's address" },
    // Only these two ways of paging compare what came with a number.
    ...(paging.kind === 'page' || paging.kind === 'cursor'
      ? [{ value: 'total', label: 'Number of records' }]
      : []),
  ],
  use(settings, path, role) {
    const { reading, paging } = settings;
    const key = role === 'key' ? path : reading.key === path ? null : reading.key;
    const next = { ...settings, reading: { ...reading, key } };
    if (role === 'cursor')
      return { ...next, paging: { kind: 'cursor', path, total: totalOf(settings) } };
    if (role === 'next') return { ...next, paging: { kind: 'next', path } };
    if (role === 'total' && (paging.kind === 'page' || paging.kind === 'cursor'))
      return { ...next, paging: { ...paging, total: path } };
    return next;
  },
  roleOf({ reading, paging }, path) {
    if (reading.key === path) return 'key';
    if (paging.kind === 'cursor' && paging.path === path) return 'cursor';
    if (paging.kind === 'next' && paging.path === path) return 'next';
    if ((paging.kind === 'page' || paging.kind === 'cursor') && paging.total === path)
      return 'total';
    return null;
  },
};

function totalOf({ paging }: ApiSettings): string | null {
  return paging.kind === 'page' || paging.kind === 'cursor' ? (paging.total ?? null) : null;
}
