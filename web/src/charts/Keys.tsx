import classes from './charts.module.css';
import { BandSwatch, SignSwatch } from './SignSwatches';
import type { Band, SignKind } from './types';

const WORDS: Readonly<Record<SignKind, string>> = {
  unknown: 'Not known',
  event: 'Event',
  changed: 'Override',
};

interface Props {
  band?: Pick<Band, 'label' | 'mark'>;
  signs: readonly SignKind[];
}

/** Explains a plot's band and signs, next to the legend. */
export function Keys({ band, signs }: Props) {
  const kinds = (Object.keys(WORDS) as SignKind[]).filter((kind) => signs.includes(kind));
  if (!band && kinds.length === 0) return null;
  return (
    <ul className={classes.keys}>
      {band && (
        <li>
          <BandSwatch mark={band.mark} />
          {band.label}
        </li>
      )}
      {kinds.map((kind) => (
        <li key={kind}>
          <SignSwatch kind={kind} />
          {WORDS[kind]}
        </li>
      ))}
    </ul>
  );
}
