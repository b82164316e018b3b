// Notes and coins of a drawer count: in the office and on the phone.
import { numberOf } from '#/ui/numberInput';

/** In pesos, largest first. */
export const DENOMINATIONS = [
  1000, 500, 200, 100, 50, 20, 10, 5, 1, 0.25, 0.1, 0.05, 0.01,
] as const;

/** `₱1,000`, `25¢` */
export function pieceName(piece: number): string {
  return piece >= 1 ? `₱${piece.toLocaleString('en')}` : `${Math.round(piece * 100)}¢`;
}

/** The sum of typed pieces, in pesos; invalid numbers count as zero. */
export function sumOf(pieces: Readonly<Record<string, string>>): number {
  const centavos = DENOMINATIONS.reduce((sum, piece) => {
    return sum + Math.round(piece * 100) * piecesOf(pieces[piece] ?? '');
  }, 0);
  return centavos / 100;
}

/** The message for pieces that are not whole numbers. */
export const WHOLE_PIECES = 'Count whole pieces of each note and coin.';

/** Whether the text is not a whole number of pieces. */
export function piecesFault(typed: string): boolean {
  if (typed.trim() === '') return false;
  const value = numberOf(typed, 'whole');
  return value === null || !Number.isInteger(value) || value < 0 || value > 9_999_999;
}

/** Whole pieces; invalid numbers count as zero. */
export const piecesOf = (typed: string): number =>
  piecesFault(typed) ? 0 : (numberOf(typed, 'whole') ?? 0);
