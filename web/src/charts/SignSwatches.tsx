import classes from './charts.module.css';
import { colorOf } from './marks';
import type { SignKind } from './types';

/** A triangle pointing down at its day. */
export const flag = (x: number, y: number) => `M${x - 4.5} ${y}h9l-4.5 8z`;

export function SignSwatch({ kind }: { kind: SignKind }) {
  return (
    <svg width={14} height={14} className={classes.swatch} aria-hidden="true">
      {kind === 'unknown' ? (
        <>
          <rect width={14} height={14} rx={3} className={classes.unknownSign} />
          <path d="M0 6L6 0M0 12L12 0M2 14L14 2M8 14L14 8" className={classes.unknownLines} />
        </>
      ) : kind === 'event' ? (
        <path d={flag(7, 3)} className={classes.eventSign} />
      ) : (
        <rect x={3} y={3} width={8} height={8} className={classes.changedSign} />
      )}
    </svg>
  );
}

export function BandSwatch({ mark }: { mark: number }) {
  return (
    <svg width={18} height={12} className={classes.swatch} aria-hidden="true">
      <rect width={18} height={12} rx={2} fill={colorOf(mark)} fillOpacity={0.3} />
    </svg>
  );
}
