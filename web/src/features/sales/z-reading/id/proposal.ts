// Proposes the till of a picture whose machine number matched none.
import type { ZTerminalRow } from '../api';

export interface Proposal {
  /** Empty if the reviewer has to choose. */
  terminalId: string;
  /** A hint for the reviewer. */
  hint: string;
}

type Till = Pick<ZTerminalRow, 'storeId' | 'terminalId' | 'min'>;

/** Numbers differing in at most this many digits may be the same, misread. */
const MISREAD = 2;

const nearly = (one: string, other: string) =>
  one.length === other.length &&
  [...one].filter((digit, at) => digit !== other[at]).length <= MISREAD;

const named = (tills: readonly Till[]) => tills.map(({ terminalId }) => terminalId).join(' or ');

/**
 * The till with this machine number, or nearly this one: a digit may be misread. Else the one till without a machine
 * number, else a new till with the next free number. If several match, none.
 */
export function proposal(tills: readonly Till[], storeId: string, min: string): Proposal {
  const own = tills.filter((till) => till.storeId === storeId);
  const known = min === '' ? undefined : own.find((till) => till.min === min);
  if (known) return { terminalId: known.terminalId, hint: 'Known by its MIN.' };
  const near = own.filter((till) => till.min && nearly(till.min, min));
  if (near.length > 0)
    return oneOf(near, `Till ${named(near)} has nearly this MIN: compare it with the picture.`);
  if (min === '' && own.length > 0) return oneOf(own, 'Its MIN was not read. Which till is it?');
  const open = own.filter((till) => !till.min);
  if (open.length > 0)
    return oneOf(open, `The MIN of till ${named(open)} is not known yet. Which till is it?`);
  const names = new Set(own.map(({ terminalId }) => terminalId));
  let number = 1;
  const name = () => String(number).padStart(2, '0');
  while (names.has(name())) number += 1;
  return { terminalId: name(), hint: 'A till that is new here. Give it its name.' };
}

/** The only one of these tills, if there is just one. */
const oneOf = (tills: readonly Till[], hint: string): Proposal => ({
  terminalId: tills.length === 1 ? (tills[0]?.terminalId ?? '') : '',
  hint,
});
