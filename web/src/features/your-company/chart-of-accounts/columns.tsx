import type { Column } from '#/table/types';
import { amount } from '#/ui/format';
import type { Row } from './chart';

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'balance',
    label: 'Balance (₱)',
    title: 'With the balances of all accounts below.',
    value: ({ rolled }) => rolled,
    number: amount,
    width: 160,
    phone: 'end',
  },
];

/** The rolled-up balance, which the rows already have. */
export const useBalanceColumns = () => COLUMNS;
