import { useCan } from '#/api/session';
import { recordPath, recordRight } from '#/records';
import { day, moment } from '#/ui/format';
import { Linked } from '#/ui/Linked';

/** A price that holds from a day on, and where it comes from. */
interface DatedPrice {
  from: string;
  fromStart: boolean;
  source: string;
  receiptId?: string | null;
  receiptNo?: string | null;
  updatedAt: string;
  updatedBy?: { name: string } | null;
}

export const fromWhen = ({ from, fromStart }: Pick<DatedPrice, 'from' | 'fromStart'>) =>
  fromStart ? 'from the start' : `from ${day(from)}`;

/** «RCV-12, accepted by Ana Cruz, 24 Nov 10:20» */
export function PriceOrigin({ price }: { price: DatedPrice }) {
  const { source, receiptId, receiptNo, updatedBy, updatedAt } = price;
  const by = `${updatedBy ? ` by ${updatedBy.name}` : ''}, ${moment(updatedAt)}`;
  const mayOpen = useCan(recordRight('receipt'));
  const path = receiptId && mayOpen ? recordPath('receipt', receiptId) : null;
  switch (source) {
    case 'start':
      return 'Before prices were kept by day';
    case 'import':
      return `Imported${by}`;
    case 'receipt':
      return (
        <>
          <Linked href={path}>{receiptNo ?? 'Receipt'}</Linked>, accepted{by}
        </>
      );
    default:
      return `Set${by}`;
  }
}
