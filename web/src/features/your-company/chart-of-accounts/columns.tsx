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

/** Balances rolled up; known with the rows, so nothing has to be asked for. */
export const useBalanceColumns = () => COLUMNS;
