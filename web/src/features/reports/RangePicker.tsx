import { Popover } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import classes from '#/ui/DateRange.module.css';
import { type Range, today } from '#/ui/dates';
import { usePhone } from '#/ui/usePhone';
import { type ChosenRange, namedRanges } from './ranges';
import { span } from './weeks';

interface Props {
  value: ChosenRange;
  onChange(range: Range | { id: string }): void;
}

/** From and to: by a name that keeps its meaning, or two dates of the calendar. */
export function RangePicker({ value, onChange }: Props) {
  const [opened, setOpened] = useState(false);
  const [half, setHalf] = useState<[string | null, string | null]>([value.from, value.to]);
  const phone = usePhone();
  const now = today();

  function choose(range: Range | { id: string }): void {
    onChange(range);
    setOpened(false);
  }

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
          aria-label={['Dates:', value.label, span(value)].filter(Boolean).join(' ')}
        >
          <IconCalendar size={16} stroke={1.7} aria-hidden />
          {value.label && <strong>{value.label} </strong>}
          <span className="num">{span(value)}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label="Choose dates">
        <ul className={classes.presets}>
          {namedRanges.map(({ id, label }) => (
            <li key={id}>
              <button
                type="button"
                className={classes.preset}
                aria-pressed={value.id === id}
                onClick={() => choose({ id })}
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
          defaultDate={half[0] ?? now}
          allowSingleDateInRange
          firstDayOfWeek={1}
          weekendDays={[]}
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
            if (next[0] && next[1]) choose({ from: next[0], to: next[1] });
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
