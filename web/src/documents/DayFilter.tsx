import { RangeChoice } from '#/ui/DateRange';
import { addDays, monday, today } from '#/ui/dates';
import { day } from '#/ui/format';

interface Props {
  /** Empty for all days. */
  from: string;
  to: string;
  onChange(range: { from: string; to: string }): void;
}

/** Filters by the documents' dates, future ones included. */
export function DayFilter({ from, to, onChange }: Props) {
  const now = today();
  const week = monday(now);
  const ranges = [
    { key: 'all', label: 'All dates', from: '', to: '' },
    { key: 'today', label: 'Today', from: now, to: now },
    { key: 'tomorrow', label: 'Tomorrow', from: addDays(now, 1), to: addDays(now, 1) },
    { key: 'next', label: 'Next 7 days', from: now, to: addDays(now, 6) },
    { key: 'week', label: 'This week', from: week, to: addDays(week, 6) },
    { key: 'last', label: 'Last 7 days', from: addDays(now, -7), to: addDays(now, -1) },
    { key: 'month', label: 'Last 4 weeks', from: addDays(week, -28), to: addDays(week, -1) },
  ];
  const named = ranges.map((range) => ({
    ...range,
    chosen: range.from === from && range.to === to,
  }));
  const words = from && to ? `${day(from)} – ${day(to)}` : '';
  return (
    <RangeChoice
      value={{ from: from || now, to: to || now }}
      words={words}
      named={named}
      onName={(key) => {
        const range = ranges.find((one) => one.key === key);
        if (range) onChange({ from: range.from, to: range.to });
      }}
      onChange={onChange}
    />
  );
}
