import { memo } from 'react';
import classes from './OperatorKeys.module.css';

const OPERATORS = ['+', '−', '×', '÷', '(', ')'] as const;

interface Props {
  onType(sign: string): void;
}

/** Keys for the operators that phone keypads lack; the field keeps the focus. */
export const OperatorKeys = memo(function OperatorKeys({ onType }: Props) {
  return (
    <div className={classes.operators}>
      {OPERATORS.map((sign) => (
        <button
          key={sign}
          type="button"
          className={classes.key}
          tabIndex={-1}
          aria-label={`Type ${sign}`}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onType(sign)}
        >
          {sign}
        </button>
      ))}
    </div>
  );
});
