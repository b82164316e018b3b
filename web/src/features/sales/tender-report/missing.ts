import { money, plural } from '#/ui/format';
import { kindName, type TenderSums } from './api';

/** What is not in the bank of the listed rows. */
export function missingWords({ missing, rows, stores, oldest }: TenderSums, kind: string): string {
  const what = kind ? ` of ${kindName(kind).toLowerCase()}` : '';
  const age = oldest == null ? '' : `, the oldest for ${plural(oldest, 'day')}`;
  // Of one kind of tender each row is a day of a store.
  const count = plural(rows, kind ? 'day' : 'row');
  return `${money(missing)}${what} is not in the bank: ${count} of ${plural(stores, 'store')}${age}.`;
}
