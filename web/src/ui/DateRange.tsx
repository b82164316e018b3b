import { Popover } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './DateRange.module.css';
import { presets, type Range, today } from './dates';
import { day } from './format';
import { usePhone } from './usePhone';

interface Props {
  value: Range;
  onChange(range: Range): void;
  /** The range with data: offered as a preset of its own. */
  known?: Range | null;
}

/** From and to, by preset or in the calendar. */
export function DateRange({ value, onChange, known }: Props) {
  const now = today();
  const all = [...(known ? [{ label: 'All imported', range: () => known }] : []), ...presets];
  const named = all.map(({ label, range }) => {
    const { from, to } = range(now);
    return { key: label, label, from, to, chosen: from === value.from && to === value.to };
  });
  return (
    <RangeChoice
      value={value}
      words={`${day(value.from)} – ${day(value.to)}`}
      named={named}
      onName={(key) => {
        const one = named.find((range) => range.key === key);
        if (one) onChange({ from: one.from, to: one.to });
      }}
      onChange={onChange}
    />
  );
}

interface ChoiceProps {
  value: Range;
  /** The two dates as text. */
  words: string;
  named: readonly { key: string; label: string; chosen: boolean }[];
  onName(key: string): void;
  onChange(range: Range): void;
}

/** The button and its panel: named ranges beside the calendar. */
export function RangeChoice({ value, words, named, onName, onChange }: ChoiceProps) {
  const [opened, setOpened] = useState(false);
  const [half, setHalf] = useState<[string | null, string | null]>([value.from, value.to]);
  const phone = usePhone();
  const name = named.find(({ chosen }) => chosen)?.label;

  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      onOpen={() => setHalf([value.from, value.to])}
      position="bottom-start"
      trapFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.target}
          onClick={() => setOpened(!opened)}
          aria-label={['Dates:', name, words].filter(Boolean).join(' ')}
        >
          <IconCalendar size={16} stroke={1.7} aria-hidden />
          {name && <strong>{name} </strong>}
          <span className="num">{words}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label="Choose dates">
        <ul className={classes.presets}>
          {named.map(({ key, label, chosen }) => (
            <li key={key}>
              <button
                type="button"
                className={classes.preset}
                aria-pressed={chosen}
                onClick={() => {
                  onName(key);
                  setOpened(false);
                }}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
        <DatePicker
          type="range"
          numberOfColumns={phone ? 1 : 2}
          value={half}
          defaultDate={half[0] ?? today()}
          allowSingleDateInRange
          firstDayOfWeek={1}
          weekendDays={[]}
          // Two months side by side would show the days between them twice.
          hideOutsideDates
          size="sm"
          ariaLabels={{
            previousMonth: 'Previous month',
            nextMonth: 'Next month',
            previousYear: 'Previous year',
            nextYear: 'Next year',
            previousDecade: 'Previous decade',
            nextDecade: 'Next decade',
          }}
          onChange={(next) => {
            setHalf(next);
            if (!next[0] || !next[1]) return;
            onChange({ from: next[0], to: next[1] });
            setOpened(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
