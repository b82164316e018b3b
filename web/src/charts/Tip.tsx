import classes from './charts.module.css';
import { Swatch } from './marks';
import { BandSwatch, SignSwatch } from './SignSwatches';
import type { PlotProps, Series } from './types';

interface Props {
  plot: PlotProps;
  /** The index of the point under the pointer. */
  at: number;
  /** Makes the patterns' names unique on the page. */
  scope: string;
  faded(series: Series): boolean;
}

/** The values of the point under the pointer. */
export function Tip({ plot, at, scope, faded }: Props) {
  const { kind, points, series, band, signs, format, hint } = plot;
  const point = points[at];
  if (!point) return null;
  const stacked = kind === 'stacked';
  const rows = series.filter(({ values }) => values[at] != null && (!stacked || values[at]));
  // In a stack the top one is drawn last; lines are read from the highest down.
  const ordered = stacked
    ? rows.toReversed()
    : rows.toSorted((a, b) => (b.values[at] ?? 0) - (a.values[at] ?? 0));
  const noted = (signs ?? []).filter((sign) => sign.at === at);
  return (
    <div className={`${classes.scope} ${classes.tip}`}>
      <p className={classes.tipTitle}>{point.title}</p>
      {ordered.map((one, i) => (
        <div key={one.id} className={classes.tipRow} data-faded={faded(one) || undefined}>
          <Swatch mark={one.mark} area={kind !== 'line'} id={`${scope}t${i}`} />
          <span>{one.label}</span>
          <span className="num">{format(one.values[at] ?? 0)}</span>
        </div>
      ))}
      {band && band.lower[at] != null && (
        <div className={classes.tipRow}>
          <BandSwatch mark={band.mark} />
          <span>{band.label}</span>
          <span className="num">
            {format(band.lower[at] ?? 0)} – {format(band.upper[at] ?? 0)}
          </span>
        </div>
      )}
      {noted.map(({ kind, label }) => (
        <div key={`${kind}${label}`} className={classes.tipRow}>
          <SignSwatch kind={kind} />
          <span>{label}</span>
        </div>
      ))}
      {ordered.length + noted.length === 0 && <p className={classes.tipHint}>Nothing</p>}
      {hint && ordered.length > 0 && <p className={classes.tipHint}>{hint}</p>}
    </div>
  );
}
