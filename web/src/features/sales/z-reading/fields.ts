// The fields of a reading's form: labels, positions, and the OCR field of each.

export type Kind = 'money' | 'count' | 'digits' | 'text' | 'date';

export interface Field {
  name: string;
  label: string;
  kind: Kind;
  /** The OCR name. */
  seen?: string;
}

const field = (name: string, label: string, kind: Kind, seen?: string): Field => ({
  name,
  label,
  kind,
  seen,
});

export const GROUPS: readonly { title: string; fields: readonly Field[] }[] = [
  {
    title: 'Day and till',
    fields: [
      field('businessDate', 'Date', 'date', 'date'),
      field('coversFrom', 'Covers from', 'date'),
      field('zCounter', 'Z counter', 'count', 'z'),
      field('resetCounter', 'Reset counter', 'count'),
      field('min', 'MIN', 'text', 'min'),
      field('tin', 'TIN', 'text', 'tin'),
      field('serial', 'Serial no.', 'text'),
    ],
  },
  {
    title: 'Invoices',
    fields: [
      field('firstSi', 'First invoice', 'digits', 'beg'),
      field('lastSi', 'Last invoice', 'digits', 'end'),
      field('transactions', 'Transactions', 'count', 'tx'),
    ],
  },
  {
    title: 'Grand total',
    fields: [
      field('previousTotal', 'Old grand total', 'money', 'old'),
      field('presentTotal', 'New grand total', 'money', 'new'),
    ],
  },
  {
    title: 'Sales',
    fields: [
      field('gross', 'Gross sales', 'money', 'gross'),
      field('senior', 'Senior discount', 'money', 'sc'),
      field('pwd', 'PWD discount', 'money', 'pwd'),
      field('naac', 'NAAC discount', 'money'),
      field('soloParent', 'Solo parent', 'money'),
      field('valor', 'Medal of Valor', 'money'),
      field('otherDiscount', 'Other discounts', 'money', 'other'),
      field('voids', 'Voids', 'money', 'void'),
      field('returns', 'Returns', 'money', 'refund'),
      field('vatAdjustment', 'VAT adjustment', 'money', 'vadj'),
      field('net', 'Net sales', 'money', 'net'),
      field('serviceCharge', 'Service charge', 'money'),
    ],
  },
  {
    title: 'Tax',
    fields: [
      field('vatable', 'VATable sales', 'money', 'vatable'),
      field('vat', 'VAT', 'money', 'vat'),
      field('exempt', 'VAT-exempt', 'money', 'exempt'),
      field('zeroRated', 'Zero-rated', 'money', 'zero'),
    ],
  },
  {
    title: 'Paid by',
    fields: [
      field('tender:cash', 'Cash', 'money', 'cash'),
      field('tender:card', 'Card', 'money', 'card'),
      field('tender:eWallet', 'E-wallet', 'money', 'ewal'),
      field('tender:voucher', 'Voucher', 'money'),
      field('tender:onAccount', 'On account', 'money'),
    ],
  },
  {
    title: 'Drawer',
    fields: [
      field('openingFund', 'Opening fund', 'money'),
      field('withdrawals', 'Withdrawals', 'money'),
      field('paymentsReceived', 'Payments received', 'money'),
      field('cashInDrawer', 'Cash in drawer', 'money'),
      field('shortOver', 'Short / over', 'money'),
    ],
  },
];

export const FIELDS: readonly Field[] = GROUPS.flatMap(({ fields }) => fields);

export const fieldOf = (name: string) => FIELDS.find((one) => one.name === name);
export const fieldOfSeen = (seen: string) => FIELDS.find((one) => one.seen === seen);

/** The OCR fields, for teaching a till's words. */
export const TAUGHT = FIELDS.filter(({ seen }) => seen);

/** Why a field of a picture is doubtful. */
export const WHY: Readonly<Record<string, string>> = {
  missing: 'Not found on the picture',
  supplied: 'Worked out from a sum, not read',
  form: 'Does not look like such a number',
  unexpected: 'Not what is known of this till',
  broken: 'A sum with it does not agree',
  differs: 'Read in two ways',
  once: 'Read once only',
  unproven: 'Nothing proves it: please compare',
};
