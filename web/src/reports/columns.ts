// The columns of a plain report: a column's kind decides its format and alignment.
import { amount, change, count, percent, qty, signedAmount, signedQty } from '#/ui/format';
import type { MatrixColumn } from './matrix/types';

export { signedQty as signed } from '#/ui/format';

type Rest<R> = Omit<Partial<MatrixColumn<R>>, 'id' | 'label' | 'width' | 'value'>;

const figure =
  (format: (value: number) => string) =>
  <R>(
    id: string,
    label: string,
    width: number,
    value: (row: R) => number | null | undefined,
    rest: Rest<R> = {},
  ): MatrixColumn<R> => ({ id, label, width, value, format, ...rest });

export const column = {
  text: <R>(
    id: string,
    label: string,
    width: number,
    value: (row: R) => string | null | undefined,
    rest: Rest<R> = {},
  ): MatrixColumn<R> => ({ id, label, width, align: 'left', value, ...rest }),
  count: figure(count),
  qty: figure(qty),
  signed: figure(signedQty),
  /** Pesos, if the heading says so. */
  amount: figure(amount),
  /** A difference in pesos, with its sign. */
  signedAmount: figure(signedAmount),
  share: figure((value) => percent(value)),
  change: figure((value) => change(value)),
};
