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

export type PlotKind = 'line' | 'bar' | 'stacked';

export interface PlotProps {
  kind: PlotKind;
  points: readonly Point[];
  series: readonly Series[];
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
