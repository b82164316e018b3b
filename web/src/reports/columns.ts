// The columns of a plain report: a column's kind decides its format and alignment.
import { amount, change, count, percent, qty } from '#/ui/format';
import type { MatrixColumn } from './matrix/types';

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

/** A difference with its sign. */
export const signed = (value: number) => (value > 0 ? `+${qty(value)}` : qty(value));

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
  signed: figure(signed),
  /** Pesos, if the heading says so. */
  amount: figure(amount),
  share: figure((value) => percent(value)),
  change: figure((value) => change(value)),
};
