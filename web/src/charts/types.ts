/** One place on the horizontal axis. */
export interface Point {
  key: string;
  /** Short, for the axis. */
  label: string;
  /** In full, for the box under the pointer. */
  title: string;
}

/** One line, or one colour of the bars. */
export interface Series {
  id: string;
  label: string;
  /** As many as there are points; null where nothing is known. */
  values: readonly (number | null)[];
  /** Which of the marks draws it; `REST` for what was left over. */
  mark: number;
  /** Only its markers, without a line between them. */
  dots?: boolean;
}

export interface Band {
  label: string;
  lower: readonly (number | null)[];
  upper: readonly (number | null)[];
  /** The mark of the series it belongs to. */
  mark: number;
}

/** What a sign says: nobody knows the day, it is not like others, or somebody changed its figure. */
export type SignKind = 'unknown' | 'event' | 'changed';

/** A point that stands out. */
export interface Sign {
  at: number;
  kind: SignKind;
  /** In words, for the box under the pointer. */
  label: string;
}

export type PlotKind = 'line' | 'bar' | 'stacked';

export interface PlotProps {
  kind: PlotKind;
  points: readonly Point[];
  series: readonly Series[];
  /** The room between two figures of each point, behind the lines; null where nothing is known. */
  band?: Band;
  /** Points that stand apart, such as the first day that is not over yet: a line with its name. */
  cut?: { at: number; label: string };
  /** Points marked above and behind the lines, such as holidays and days nobody knows. */
  signs?: readonly Sign[];
  /** The series in front; the others step back. */
  lit?: string | null;
  /** A value in full. */
  format(value: number): string;
  /** A value on the axis. */
  short(value: number): string;
  /** What a click leads to, in the box under the pointer. */
  hint?: string;
  /** The series is null where the whole point was chosen. */
  onPick?(index: number, series: string | null): void;
}
