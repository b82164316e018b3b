import { NativeSelect } from '@mantine/core';
import { memo, useId, useState } from 'react';
import { REASONS, RESOLUTIONS } from '#/documents/receipts';
import { day, qty } from '#/ui/format';
import { kindOfUnit, showNumber } from '#/ui/numberInput';
import type { ExpectedLine } from '../lines';
import { PhotoField } from '../PhotoField';
import { QtyInput } from '../QtyInput';
import { damagedChoices, type LineForm, type LineReading, resolutionsFor } from './form';
import classes from './Receive.module.css';

interface Props {
  line: ExpectedLine;
  typed: LineForm | undefined;
  reading: LineReading;
  /** After a try to post: marks what is missing. */
  tried: boolean;
  /** One of several lots of a product, below its name. */
  isLot?: boolean;
  /** The photos of its product, with spaces between; undefined where another line has them. */
  photoIds: string | undefined;
  /** How many photos the receipt can still take. */
  room: number;
  onPhotos(productId: string, change: (photos: string[]) => string[]): void;
  onChange(id: string, typed: LineForm): void;
}

/** The id of the field for what came of a line. */
export const cameId = (lineId: string) => `came-${lineId}`;

/** A received line: filled in as expected; a difference needs a reason. */
export const ReceiveLine = memo(function ReceiveLine(props: Props) {
  const { line, typed, reading, tried, isLot = false, onChange } = props;
  const { photoIds, room, onPhotos } = props;
  const photos = photoIds?.split(' ').filter(Boolean);
  const [asked, setAsked] = useState(false);
  const area = useId();
  const { differs, faults } = reading;
  const reads = kindOfUnit(line.unit, line.whole);
  const open = asked || differs || Boolean(faults.received);
  const choices = resolutionsFor(reading);
  const lot = line.lot ? `Lot ${line.lot}` : 'Without a lot';
  const label = isLot ? `${line.name}, ${lot}` : line.name;
  const damaged = damagedChoices(reading.received, line.unit, line.whole);
  const hints = [
    `${qty(line.expected)} ${line.unit} expected`,
    !isLot && line.lot && `lot ${line.lot}`,
    line.expiry && `use by ${day(line.expiry)}`,
  ].filter(Boolean);
  return (
    <li className={classes.line} data-differs={differs || undefined}>
      <div className={classes.head}>
        <span className={classes.name}>
          <strong>{isLot ? lot : line.name}</strong>
          <span>{hints.join(', ')}</span>
        </span>
        <QtyInput
          id={cameId(line.id)}
          label={`${label}: came`}
          unit={line.unit}
          reads={reads}
          value={typed?.received ?? showNumber(line.expected, reads)}
          error={faults.received}
          onChange={(received) => onChange(line.id, { received })}
        />
      </div>
      {faults.received && <p className={classes.fault}>{faults.received}</p>}
      <button
        type="button"
        className={classes.more}
        aria-expanded={open}
        aria-controls={area}
        disabled={differs}
        onClick={() => setAsked(!asked)}
      >
        {differs ? differenceOf(reading, line.unit) : 'Something is wrong with it'}
      </button>
      {open && (
        <div className={classes.details} id={area}>
          <div className={classes.refused}>
            <span>Refused</span>
            <QtyInput
              label={`${label}: refused`}
              unit={line.unit}
              reads={reads}
              value={typed?.rejected ?? ''}
              placeholder="0"
              error={faults.rejected}
              onChange={(rejected) => onChange(line.id, { rejected })}
            />
          </div>
          {damaged.length > 0 && (
            <fieldset className={classes.damaged}>
              <legend>How many are damaged?</legend>
              {damaged.map((count) => (
                <button
                  key={count}
                  type="button"
                  aria-label={`${label}: ${count} damaged`}
                  aria-pressed={reading.reason === 'damaged' && reading.rejected === count}
                  onClick={() => onChange(line.id, { rejected: String(count), reason: 'damaged' })}
                >
                  {count}
                </button>
              ))}
            </fieldset>
          )}
          {faults.rejected && <p className={classes.fault}>{faults.rejected}</p>}
          {differs && (
            <>
              <NativeSelect
                size="md"
                label="Why"
                aria-label={`${label}: why`}
                value={reading.reason}
                error={tried ? faults.reason : undefined}
                data={[{ value: '', label: 'Choose a reason' }, ...REASONS]}
                onChange={(event) => onChange(line.id, { reason: event.currentTarget.value })}
              />
              {choices.length > 0 && (
                <NativeSelect
                  size="md"
                  label="What becomes of it"
                  aria-label={`${label}: what becomes of it`}
                  value={choices.find((choice) => choice === typed?.resolution) ?? choices[0] ?? ''}
                  data={RESOLUTIONS.filter(({ value }) => choices.includes(value))}
                  onChange={(event) => onChange(line.id, { resolution: event.currentTarget.value })}
                />
              )}
            </>
          )}
          {photos && line.productId && (
            <PhotoField
              of={line.name}
              ids={photos}
              most={room + photos.length}
              onChange={(change) => onPhotos(line.productId ?? '', change)}
            />
          )}
        </div>
      )}
    </li>
  );
});

function differenceOf({ short, over, rejected }: LineReading, unit: string): string {
  return [
    short > 0 && `${qty(short)} ${unit} missing`,
    over > 0 && `${qty(over)} ${unit} more`,
    rejected > 0 && `${qty(rejected)} ${unit} refused`,
  ]
    .filter(Boolean)
    .join(', ');
}
