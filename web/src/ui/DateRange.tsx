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
  /** Where there is data: offered as a preset of its own. */
  known?: Range | null;
}

/** From and to, by preset or in the calendar. */
export function DateRange({ value, onChange, known }: Props) {
  const [opened, setOpened] = useState(false);
  const [half, setHalf] = useState<[string | null, string | null]>([value.from, value.to]);
  const phone = usePhone();
  const now = today();
  const all = [...(known ? [{ label: 'All imported', range: () => known }] : []), ...presets];
  const same = (range: Range) => range.from === value.from && range.to === value.to;
  const named = all.find((preset) => same(preset.range(now)))?.label;
  const days = `${day(value.from)} – ${day(value.to)}`;

  function choose(range: Range): void {
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
          aria-label={['Dates:', named, days].filter(Boolean).join(' ')}
        >
          <IconCalendar size={16} stroke={1.7} aria-hidden />
          {named && <strong>{named} </strong>}
          <span className="num">{days}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label="Choose dates">
        <ul className={classes.presets}>
          {all.map(({ label, range }) => (
            <li key={label}>
              <button
                type="button"
                className={classes.preset}
                aria-pressed={same(range(now))}
                onClick={() => choose(range(now))}
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
