/** One position on the horizontal axis. */
export interface Point {
  key: string;
  /** Short, for the axis. */
  label: string;
  /** A second line below it, such as the store of an item. */
  sub?: string;
  /** In full, for the tooltip. */
  title: string;
}

/** One line, or one colour of bars. */
export interface Series {
  id: string;
  label: string;
  /** One per point; null if unknown. */
  values: readonly (number | null)[];
  /** The mark that draws it; `REST` for the remainder. */
  mark: number;
  /** Only markers, without a line. */
  dots?: boolean;
}

export interface Band {
  label: string;
  lower: readonly (number | null)[];
  upper: readonly (number | null)[];
  /** The mark of the series it belongs to. */
  mark: number;
}

/** No data for the day, a special day, or a figure changed by hand. */
export type SignKind = 'unknown' | 'event' | 'changed';

/** A point that stands out. */
export interface Sign {
  at: number;
  kind: SignKind;
  /** For the tooltip. */
  label: string;
}

export type PlotKind = 'line' | 'bar' | 'stacked';

export interface PlotProps {
  kind: PlotKind;
  points: readonly Point[];
  series: readonly Series[];
  /** A band between two values per point, behind the lines; null if unknown. */
  band?: Band;
  /** A labelled line at a point, such as the first day that is not over yet. */
  cut?: { at: number; label: string };
  /** Points marked above and behind the lines, such as holidays and days without data. */
  signs?: readonly Sign[];
  /** The highlighted series; the others are dimmed. */
  lit?: string | null;
  /** A value in full. */
  format(value: number): string;
  /** A value on the axis. */
  short(value: number): string;
  /** What a click does, for the tooltip. */
  hint?: string;
  /** The series is null if the whole point was chosen. */
  onPick?(index: number, series: string | null): void;
}
