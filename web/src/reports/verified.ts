/** The report builder's filter for Z-readings that count. */
export const VERIFIED: { field: string; op: 'is'; values: string[]; names: string[] } = {
  field: 'state',
  op: 'is',
  values: ['verified', 'reconciled'],
  names: ['Verified', 'Reconciled'],
};
