import { money, plural } from '#/ui/format';
import { kindName, type TenderSums } from './api';

/** What is not in the bank of the listed rows. */
export function missingWords({ missing, rows, stores, oldest }: TenderSums, kind: string): string {
  const what = kind ? ` of ${kindName(kind).toLowerCase()}` : '';
  const age = oldest == null ? '' : `, the oldest for ${plural(oldest, 'day')}`;
  return `${money(missing)}${what} is not in the bank: ${plural(rows, 'row')} of ${plural(stores, 'store')}${age}.`;
}
