import { type ReactNode, useId } from 'react';
import { Segments } from '#/ui/Segments';
import { ChartShare } from './ChartShare';
import classes from './charts.module.css';

interface ChartProps {
  title: ReactNode;
  /** A text summary of the chart, for screen readers. */
  summary: string;
  legend?: ReactNode;
  aside?: ReactNode;
  /** Fills the rest of the page. */
  fill?: boolean;
  height?: number;
  /** Offers the chart as a picture with this title and caption. */
  share?: { title: string; note: string };
  children: ReactNode;
}

/** The frame of every chart: title, legend, text summary. */
export function Chart({
  title,
  summary,
  legend,
  aside,
  fill,
  height,
  share,
  children,
}: ChartProps) {
  const id = useId();
  return (
    <figure
      className={`${classes.scope} ${classes.frame}`}
      data-fill={fill || undefined}
      aria-labelledby={`${id}t`}
      aria-describedby={`${id}s`}
    >
      <figcaption className={classes.head}>
        <h2 className={classes.title} id={`${id}t`}>
          {title}
        </h2>
        {legend}
        {(aside || share) && (
          <div className={`${classes.aside} no-print`}>
            {aside}
            {share && <ChartShare {...share} />}
          </div>
        )}
      </figcaption>
      <p id={`${id}s`} className="sr-only">
        {summary}
      </p>
      <div className={classes.plot} data-plot style={fill || !height ? undefined : { height }}>
        {children}
      </div>
    </figure>
  );
}

export type View = 'both' | 'chart' | 'table';

interface ViewSwitchProps {
  value: View;
  /** Narrow screens show one at a time. */
  both: boolean;
  onChange(view: View): void;
}

/** Chart, table, or both stacked. */
export function ViewSwitch({ value, both, onChange }: ViewSwitchProps) {
  return (
    <Segments<View>
      label="View"
      value={value}
      options={[
        ...(both ? [{ value: 'both' as const, label: 'Both' }] : []),
        { value: 'chart', label: 'Chart' },
        { value: 'table', label: 'Table' },
      ]}
      onChange={onChange}
    />
  );
}
