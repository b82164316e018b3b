import type { KeyboardEvent, RefObject } from 'react';
import { inFull } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { kindOfUnit } from '#/ui/numberInput';
import { BASE_UNIT } from './draft';
import classes from './Entry.module.css';
import type { Typed } from './useTyped';

interface Props {
  typed: Typed;
  uomCode: string | null | undefined;
  /** The field for single pieces. */
  field: RefObject<HTMLInputElement | null>;
  /** The field that had the focus last. */
  last: RefObject<HTMLInputElement | null>;
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
  onFill(values: readonly string[]): void;
}

/** A field for each pack and one for single pieces, and what they come to. */
export function EntryFields({ typed, uomCode, field, last, onKeyDown, onFill }: Props) {
  const { units, warned } = typed;
  return (
    <>
      <div className={classes.fields}>
        {units.map(({ key, code, whole, factor }) => (
          <label key={key} className={classes.field} data-base={key === BASE_UNIT || undefined}>
            <input
              ref={key === BASE_UNIT ? field : undefined}
              data-unit={key}
              className={classes.input}
              type="text"
              {...numberField(kindOfUnit(code, whole), code)}
              enterKeyHint="next"
              aria-label={key === BASE_UNIT ? `Count in ${code}` : `Packs: ${code}`}
              aria-invalid={warned || undefined}
              aria-describedby="count-reading"
              value={typed.text(key)}
              onChange={(event) => typed.type(key, event.currentTarget.value)}
              onFocus={(event) => {
                last.current = event.currentTarget;
              }}
              onKeyDown={onKeyDown}
              onPaste={(event) => {
                const lines = event.clipboardData.getData('text').trim().split(/\r?\n/);
                if (lines.length < 2 || key !== BASE_UNIT) return;
                event.preventDefault();
                onFill(lines);
              }}
            />
            <span className={classes.unit}>
              {code}
              {factor !== 1 && <span className={classes.factor}> of {inFull(factor)}</span>}
            </span>
          </label>
        ))}
      </div>
      <p
        id="count-reading"
        className={classes.reading}
        aria-live="polite"
        data-wrong={warned || undefined}
      >
        {readingText(typed, uomCode ?? '')}
      </p>
    </>
  );
}

/** What is wrong with the input, once the user was warned, or the sum it makes. */
function readingText({ reading, warned, calculated }: Typed, unit: string): string {
  switch (reading.kind) {
    case 'invalid':
      return warned ? `${reading.message} Press Enter or Next again to save 0.` : '';
    case 'undecided':
      return warned ? reading.message : '';
    case 'number':
      return calculated ? `= ${inFull(reading.value)} ${unit}` : '';
    default:
      return '';
  }
}
