import { MultiSelect, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { numberField } from '#/ui/numberField';
import { numberOf, plainNumber, showNumber } from '#/ui/numberInput';
import { useValues } from './api';
import classes from './Builder.module.css';
import { OPS } from './definition';
import type { Definition, Field, Filter, Op } from './types';
import { Line } from './Well';

interface Props {
  definition: Definition;
  field: Field | undefined;
  filter: Filter;
  at: number;
  onChange(filter: Filter): void;
  onRemove(): void;
}

const OF_TEXT: readonly Op[] = ['is', 'isNot', 'contains'];
const OF_FIGURES: readonly Op[] = ['atLeast', 'atMost'];

/** A filter: a field, an operator and its operands. */
export function FilterLine({ definition, field, filter, at, onChange, onRemove }: Props) {
  const label = field?.label ?? `${filter.field} (gone)`;
  const ops = field?.measure ? OF_FIGURES : OF_TEXT;
  const typed = !OF_TEXT.slice(0, 2).includes(filter.op);
  return (
    <Line label={label} at={at} many={1} onRemove={onRemove}>
      {field && (
        <div className={classes.filter}>
          <Select
            aria-label={`How ${label} is compared`}
            size="xs"
            allowDeselect={false}
            value={filter.op}
            data={ops.map((op) => ({ value: op, label: OPS[op] }))}
            onChange={(op) => {
              if (!op) return;
              const keeps = (op === 'is' || op === 'isNot') && !typed;
              onChange({
                ...filter,
                op: op as Op,
                values: keeps ? filter.values : [],
                names: keeps ? filter.names : undefined,
              });
            }}
          />
          {typed ? (
            <Typed key={filter.op} label={label} filter={filter} onChange={onChange} />
          ) : (
            <Chosen definition={definition} label={label} filter={filter} onChange={onChange} />
          )}
        </div>
      )}
    </Line>
  );
}

interface ValueProps {
  label: string;
  filter: Filter;
  onChange(filter: Filter): void;
}

function Typed({ label, filter, onChange }: ValueProps) {
  const number = filter.op !== 'contains';
  // Money, counts and shares alike: figures of reports are parsed as amounts.
  const [text, setText] = useState(() => {
    const saved = filter.values[0] ?? '';
    return number && saved !== '' ? showNumber(Number(saved), 'whole') : saved;
  });
  const value = numberOf(text, 'whole');
  const wrong = number && text.trim() !== '' && value === null;
  const wire = number ? (value === null ? '' : plainNumber(value)) : text.trim();
  const hand = () => {
    if (!wrong && wire !== (filter.values[0] ?? '')) {
      onChange({ ...filter, values: wire ? [wire] : [] });
    }
  };
  return (
    <TextInput
      size="xs"
      aria-label={`${label} ${OPS[filter.op]}`}
      placeholder={number ? 'A number' : 'Part of the name'}
      {...(number && numberField('whole'))}
      value={text}
      error={wrong ? 'Enter a number.' : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={hand}
      onKeyDown={(event) => event.key === 'Enter' && hand()}
    />
  );
}

function Chosen({ definition, label, filter, onChange }: ValueProps & { definition: Definition }) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, 200);
  const [opened, setOpened] = useState(false);
  const on = opened || filter.values.some((_, i) => !filter.names?.[i]);
  const { data, isFetching, error } = useValues(definition, filter.field, q, on);
  const found = data?.items ?? [];
  const nameOf = (key: string) =>
    found.find((value) => value.key === key)?.label ??
    filter.names?.[filter.values.indexOf(key)] ??
    key;
  // A value without a name means «not set».
  const options = [
    ...found.map(({ key, label: name }) => ({ value: key || EMPTY, label: name })),
    ...filter.values
      .filter((key) => !found.some((value) => value.key === key))
      .map((key) => ({ value: key || EMPTY, label: nameOf(key) })),
  ];
  return (
    <MultiSelect
      size="xs"
      aria-label={`${label} ${OPS[filter.op]}`}
      placeholder={filter.values.length === 0 ? 'Choose…' : undefined}
      value={filter.values.map((key) => key || EMPTY)}
      data={options}
      searchable
      hidePickedOptions
      // The server does the search; its results are shown unfiltered.
      filter={({ options: all }) => all}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      maxDropdownHeight={260}
      maxValues={200}
      nothingFoundMessage={
        error ? 'The values could not be loaded.' : isFetching ? 'Looking…' : 'Nothing by this name'
      }
      onChange={(values) => {
        const keys = values.map((key) => (key === EMPTY ? '' : key));
        onChange({ ...filter, values: keys, names: keys.map(nameOf) });
      }}
    />
  );
}

/** A select cannot hold an empty value. */
const EMPTY = '\u2205';
