import { LEAST } from '#/table/squeeze';

interface Sized {
  width: number;
  least?: number;
  grow?: boolean;
}

/** The columns' widths: wider by `extra` where they grow; narrower if that brings all of them into the room. */
export function fitted(columns: readonly Sized[], room: number, extra: number): number[] {
  const natural = columns.reduce((all, { width }) => all + width, 0);
  const lacking = natural - room;
  const spareOf = ({ width, least = Math.ceil(width * LEAST) }: Sized) => width - least;
  const spare = columns.reduce((all, column) => all + spareOf(column), 0);
  if (lacking > 0 && lacking <= spare) {
    return columns.map((column) => Math.floor(column.width - (spareOf(column) * lacking) / spare));
  }
  return columns.map(({ width, grow }) => width + (grow ? extra : 0));
}
