import { afterEach, expect, it, vi } from 'vitest';
import { documentApi } from './api';
import type { DocumentHead } from './types';

afterEach(() => vi.unstubAllGlobals());

it('reads all documents that match, page by page', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    const page = Number(new URLSearchParams(path.split('?')[1]).get('page'));
    const items = Array.from({ length: page === 3 ? 50 : 200 }, (_, i) => ({ id: `${page}.${i}` }));
    return new Response(JSON.stringify({ items, total: 450 }));
  });
  const { all } = documentApi<DocumentHead, DocumentHead>('/api/stores/orders');
  expect(await all({ status: 'approved' })).toHaveLength(450);
  expect(asked).toEqual(
    [1, 2, 3].map((page) => `/api/stores/orders?status=approved&page=${page}&pageSize=200`),
  );
});
