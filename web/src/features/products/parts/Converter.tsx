import { ActionIcon, Select, TextInput } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useComesWhole } from '#/api/names';
import { inFull } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { kindOfUnit, numberOf, plainNumber } from '#/ui/numberInput';
import type { UnitSet } from '../unitForm';
import { formatFixed, parseFixed, QTY_PLACES, Units } from '../units';
import classes from './Converter.module.css';

interface Props {
  units: UnitSet;
  nameOf(unit: string): string;
}

/** Converts a typed quantity between units: «12 CASE = 288 PC». */
export function Converter({ units: set, nameOf }: Props) {
  const { base, lines, selling, others } = set;
  const [typed, setTyped] = useState('1');
  const [chosen, setChosen] = useState<{ from: string | null; to: string | null }>({
    from: null,
    to: null,
  });
  const whole = useComesWhole();
  if (base === null) return null;
  const units = new Units(base, lines);
  const all = units.all();
  if (all.length < 2) return null;

  const usual = [selling, ...others].find((unit) => unit && unit !== base && units.knows(unit));
  const known = (unit: string | null) => (unit && units.knows(unit) ? unit : null);
  const from = known(chosen.from) ?? usual ?? all[1] ?? base;
  const to = known(chosen.to) ?? base;
  const reads = kindOfUnit(nameOf(from), whole(from));
  const read = numberOf(typed, reads);
  const count = read === null ? null : parseFixed(plainNumber(read), QTY_PLACES);
  const result = count === null ? null : units.convert(count, from, to);
  const ratio = units.ratio(from, to);
  const exact = count !== null && ratio !== null && (count * ratio.above) % ratio.below === 0n;
  const data = all.map((unit) => ({ value: unit, label: nameOf(unit) }));

  return (
    <fieldset className={classes.converter} aria-label="Converter">
      <TextInput
        aria-label="Quantity to convert"
        value={typed}
        {...numberField(reads, nameOf(from))}
        className={classes.count}
        classNames={{ input: 'num' }}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Select
        aria-label="From unit"
        data={data}
        value={from}
        allowDeselect={false}
        className={classes.unit}
        onChange={(unit) => setChosen({ from: unit, to })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Swap units"
        onClick={() => setChosen({ from: to, to: from })}
      >
        <IconArrowsLeftRight size={17} stroke={1.7} />
      </ActionIcon>
      <Select
        aria-label="To unit"
        data={data}
        value={to}
        allowDeselect={false}
        className={classes.unit}
        onChange={(unit) => setChosen({ from, to: unit })}
      />
      <output className={`${classes.result} num`}>
        {count === null || result === null ? (
          <span className={classes.none}>Enter a number to convert.</span>
        ) : (
          <>
            {inFull(Number(formatFixed(count, QTY_PLACES)))} {nameOf(from)} {exact ? '=' : '≈'}{' '}
            <strong>
              {inFull(Number(formatFixed(result, QTY_PLACES)))} {nameOf(to)}
            </strong>
          </>
        )}
      </output>
    </fieldset>
  );
}
