import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type TenderType = components['schemas']['TenderType'];

const KINDS = [
  { value: 'cash', label: 'Cash' },
  { value: 'card', label: 'Card' },
  { value: 'eWallet', label: 'E-wallet' },
  { value: 'voucher', label: 'Voucher' },
  { value: 'onAccount', label: 'On account' },
];

export default listPage(
  defineList<TenderType>({
    slug: 'tender-types',
    permission: 'lists/allLists',
    name: 'name',
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
      { kind: 'text', name: 'code', label: 'Code', max: 20, column: { width: 110, muted: true } },
      {
        kind: 'enum',
        name: 'kind',
        label: 'Kind',
        options: KINDS,
        initial: 'cash',
        column: { width: 120 },
      },
      {
        section: 'What the bank or wallet settles',
        kind: 'decimal',
        name: 'feePercent',
        reads: 'percent',
        label: 'Fee (%)',
        column: { width: 90, phone: 'none' },
      },
      {
        kind: 'integer',
        name: 'settlementDays',
        label: 'Settled after (days)',
        column: { width: 160, phone: 'none' },
      },
      {
        section: 'Use',
        kind: 'boolean',
        name: 'active',
        label: 'Active',
        initial: true,
        hint: 'Inactive tender types are hidden from lists.',
        column: false,
      },
    ],
    hides: {
      param: 'includeInactive',
      usual: 'Active',
      all: 'All',
      is: ({ active }) => active === false,
      by: { field: 'active', hidden: false, hide: 'Make inactive', show: 'Make active' },
    },
    empty: 'Ways of paying: cash, cards, e-wallets, vouchers.',
  }),
);
