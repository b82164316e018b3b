import { Component, lazy, type ReactNode, Suspense, useState } from 'react';
import classes from './charts.module.css';
import type { PlotProps } from './types';

const load = () => import('./charts');

/** A retry needs a new lazy component: a failed one stays failed. */
const fresh = () => lazy(load);

/** A plot whose library loads lazily; it fills its container. */
export function Plot(props: PlotProps) {
  const [Drawing, setDrawing] = useState(fresh);
  const [tries, setTries] = useState(0);

  function retry(): void {
    setDrawing(fresh);
    setTries(tries + 1);
  }

  return (
    <div className={classes.plotFit}>
      <Boundary key={tries} retry={retry}>
        <Suspense fallback={<div className={classes.bone} aria-hidden />}>
          <Drawing {...props} />
        </Suspense>
      </Boundary>
    </div>
  );
}

/** A chart that fails must not break the page: the numbers are in the table as well. */
class Boundary extends Component<{ retry(): void; children: ReactNode }, { lost: boolean }> {
  override state = { lost: false };

  static getDerivedStateFromError() {
    return { lost: true };
  }

  override render() {
    if (!this.state.lost) return this.props.children;
    return (
      <div className={classes.note} role="alert">
        <span>
          The chart could not be drawn.
          <button type="button" onClick={this.props.retry}>
            Try again
          </button>
        </span>
      </div>
    );
  }
}
