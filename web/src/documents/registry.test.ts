import { describe, expect, it } from 'vitest';
import { pages } from '#/paths';
import { documentType, documentTypes } from './registry';
import type { DocumentHead } from './types';

describe('document types', () => {
  it('are found by the entity type of their records', () => {
    expect(documentTypes.map(({ kind, word }) => `${kind}: ${word}`)).toEqual([
      'storeOrder: Order',
      'delivery: Delivery',
      'receipt: Receipt',
      'transfer: Transfer',
      'waste: Waste',
      'supplierReturn: Supplier return',
      'production: Production',
      'stockTake: Stock-take',
    ]);
    expect(documentType('waste')?.word).toBe('Waste');
    expect(documentType('adjustment')).toBeUndefined();
  });

  it('tell what a document can be followed by', () => {
    const follows = documentType('supplierReturn')?.follows;
    const receipt = { kind: 'receipt', sourceType: 'supplier', status: 'posted' } as DocumentHead;
    expect(follows?.kind).toBe('receipt');
    expect(follows?.may(receipt)).toBe(true);
    expect(follows?.may({ ...receipt, status: 'draft' })).toBe(false);
    expect(follows?.may({ ...receipt, sourceType: 'delivery' })).toBe(false);
    expect(follows?.draft({ ...receipt, id: 'r1' })).toEqual({ receiptId: 'r1' });
  });

  it('open on a page that asks for their own right', () => {
    const rights = new Map<string, string>(
      Object.values(pages).map((page) => [page.path, 'can' in page ? page.can : '']),
    );
    for (const { href, page } of documentTypes) {
      expect(rights.get(href(':id').replace('%3Aid', ':id'))).toBe(page);
    }
  });

  it('have words for each of their states and steps', () => {
    for (const { states, steps } of documentTypes) {
      for (const { label } of [...Object.values(states), ...Object.values(steps)]) {
        expect(label).not.toBe('');
      }
    }
  });
});
