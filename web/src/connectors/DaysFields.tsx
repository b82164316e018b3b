import { DateField } from '#/ui/DateField';
import { NumericInput } from '#/ui/NumericInput';
import type { ApiSettings } from './api';
import type { Fault } from './faults';

type Days = Pick<ApiSettings, 'firstDay' | 'againDays'>;

interface Props {
  settings: Days;
  errorOf(field: string): string | null;
  onChange(part: Partial<Days>): void;
}

/** The first day to fetch sales for, and how many past days to fetch again. */
export function DaysFields({ settings, errorOf, onChange }: Props) {
  return (
    <>
      <DateField
        label="First day"
        description="Empty: a week back"
        value={settings.firstDay ?? ''}
        onChange={(date) => onChange({ firstDay: date || null })}
      />
      <NumericInput
        reads="whole"
        label="Days read again"
        description="For what comes late"
        value={settings.againDays}
        min={0}
        max={31}
        data-path="settings.againDays"
        error={errorOf('settings.againDays')}
        onChange={(days) => onChange({ againDays: days as number })}
      />
    </>
  );
}

/** Whether the past days can be fetched again. */
export const againFault = (days: unknown): Fault[] =>
  Number.isInteger(days) && Number(days) >= 0 && Number(days) <= 31
    ? []
    : [{ field: 'settings.againDays', label: 'Days read again', message: 'Enter 0 to 31 days.' }];
