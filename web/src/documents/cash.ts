// Notes and coins, as drawers are counted: at the office and on the phone.
import { parseDecimal } from '#/ui/format';

/** In pesos, largest first. */
export const DENOMINATIONS = [
  1000, 500, 200, 100, 50, 20, 10, 5, 1, 0.25, 0.1, 0.05, 0.01,
] as const;

/** `₱1,000`, `25¢` */
export function pieceName(piece: number): string {
  return piece >= 1 ? `₱${piece.toLocaleString('en')}` : `${Math.round(piece * 100)}¢`;
}

/** What typed pieces come to, in pesos; what is no number counts for nothing. */
export function sumOf(pieces: Readonly<Record<string, string>>): number {
  const centavos = DENOMINATIONS.reduce((sum, piece) => {
    const typed = parseDecimal(pieces[piece] ?? '') ?? 0;
    return sum + Math.round(piece * 100) * Math.trunc(typed);
  }, 0);
  return centavos / 100;
}

/** Whether somebody typed something that is no whole number of pieces. */
export function piecesFault(typed: string): boolean {
  const text = typed.trim();
  return text !== '' && !/^\d{1,7}$/.test(text);
}
