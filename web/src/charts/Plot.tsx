import { Component, lazy, type ReactNode, Suspense, useState } from 'react';
import classes from './charts.module.css';
import type { PlotProps } from './types';

const load = () => import('./charts');

/** Another try needs another lazy component: a failed one stays failed. */
const fresh = () => lazy(load);

/** A plot whose library comes after the page; it fills the room it is given. */
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

/** The numbers are in the table all the same, so a lost chart must not take the page with it. */
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
