/** The grouping of errors. */
export type By = 'series' | 'store' | 'item' | 'method';

export const BY: readonly { value: By; label: string }[] = [
  { value: 'series', label: 'Item and store' },
  { value: 'store', label: 'Store' },
  { value: 'item', label: 'Item' },
  { value: 'method', label: 'Method' },
];
