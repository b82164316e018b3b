import { IconX } from '@tabler/icons-react';
import { useId } from 'react';
import classes from './charts.module.css';
import { Swatch } from './marks';
import type { PlotKind, Series } from './types';

interface Props {
  kind: PlotKind;
  series: readonly Pick<Series, 'id' | 'label' | 'mark'>[];
  lit?: string | null;
  onLight?(id: string | null): void;
  onRemove?(id: string): void;
}

/** The legend; a click highlights a series. */
export function Legend({ kind, series, lit, onLight, onRemove }: Props) {
  const scope = useId().replace(/\W/g, '');
  return (
    <ul className={classes.legend} aria-label="Legend">
      {series.map(({ id, label, mark }, i) => (
        <li key={id} className={classes.entry}>
          <button
            type="button"
            className={classes.entryButton}
            aria-pressed={lit === id}
            title={label}
            onClick={() => onLight?.(lit === id ? null : id)}
          >
            <Swatch mark={mark} area={kind !== 'line'} id={`${scope}l${i}`} />
            <span className={classes.entryName}>{label}</span>
          </button>
          {onRemove && (
            <button
              type="button"
              className={classes.entryRemove}
              aria-label={`Remove ${label} from the chart`}
              onClick={() => onRemove(id)}
            >
              <IconX size={14} aria-hidden />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
