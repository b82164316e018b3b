import { DateField } from '#/ui/DateField';
import { NumericInput } from '#/ui/NumericInput';
import type { ApiSettings } from './api';

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
        error={errorOf('settings.againDays')}
        onChange={(days) => onChange({ againDays: days as number })}
      />
    </>
  );
}
