import classes from './StatusPill.module.css';

export type Tone = 'ok' | 'warn' | 'danger' | 'neutral' | 'brand';

export function StatusPill({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.pill} data-tone={tone}>
      {children}
    </span>
  );
}
