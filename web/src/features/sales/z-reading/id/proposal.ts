// Which till a picture is of where its machine number told none.
import type { ZTerminalRow } from '../api';

export interface Proposal {
  terminalId: string;
  /** What whoever reviews it should know. */
  hint: string;
}

type Till = Pick<ZTerminalRow, 'storeId' | 'terminalId' | 'min'>;

/**
 * The till with this machine number, else the first till of the store whose machine number is not known yet, else a new
 * one with the next free number.
 */
export function proposal(tills: readonly Till[], storeId: string, min: string): Proposal {
  const own = tills.filter((till) => till.storeId === storeId);
  const known = min === '' ? undefined : own.find((till) => till.min === min);
  if (known) return { terminalId: known.terminalId, hint: 'Known by its MIN.' };
  const open = own.find((till) => !till.min);
  if (open)
    return { terminalId: open.terminalId, hint: 'Its MIN is not known yet. Is it this till?' };
  const names = new Set(own.map(({ terminalId }) => terminalId));
  let number = 1;
  const name = () => String(number).padStart(2, '0');
  while (names.has(name())) number += 1;
  return { terminalId: name(), hint: 'A till that is new here. Give it its name.' };
}
