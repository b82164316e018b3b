import { Autocomplete, Select } from '@mantine/core';
import { useNames } from '#/api/names';
import type { Found, Reading } from './api';
import classes from './Connectors.module.css';
import { FIELDS } from './labels';
import { StatusWords } from './StatusWords';

interface Props {
  reading: Reading;
  /** The fields the last trial found. */
  found: Found | null;
  /** Whether the business date is known without a field. */
  dated: boolean;
  errorOf(field: string): string | null;
  onChange(reading: Reading): void;
}

/** Maps columns or paths to fields, and sets the formats of their cells. */
export function ReadingFields({ reading, found, dated, errorOf, onChange }: Props) {
  const { data: stores } = useNames('stores');
  const columns = found?.columns.map(({ column }) => column) ?? [];
  const set = (field: string, column: string) => {
    const fields = { ...reading.fields };
    if (column) fields[field] = column;
    else delete fields[field];
    onChange({ ...reading, fields });
  };
  return (
    <>
      <div className={classes.fields}>
        {FIELDS.map(({ value, label }) => (
          <Autocomplete
            key={value}
            label={label}
            data={columns}
            value={reading.fields[value] ?? ''}
            placeholder={value === 'date' && dated ? 'The day that is asked for' : 'None'}
            data-path={`settings.reading.fields.${value}`}
            error={errorOf(`settings.reading.fields.${value}`)}
            onChange={(column) => set(value, column)}
          />
        ))}
        <Autocomplete
          label="Tells records apart"
          description="An id: a record counts once, however often it comes."
          data={columns}
          value={reading.key ?? ''}
          onChange={(key) => onChange({ ...reading, key: key || null })}
        />
        <Select
          label="Store, where no field names it"
          data={(stores ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={reading.storeId ?? null}
          clearable
          searchable
          withScrollArea={false}
          data-path="settings.reading.storeId"
          error={errorOf('settings.reading.storeId')}
          onChange={(storeId) => onChange({ ...reading, storeId })}
        />
        <Select
          label="Dates are written"
          data={[
            { value: 'ymd', label: '2026-11-24' },
            { value: 'dmy', label: '24/11/2026' },
            { value: 'mdy', label: '11/24/2026' },
            { value: 'excel', label: 'As a spreadsheet number' },
          ]}
          value={reading.dateFormat}
          allowDeselect={false}
          withScrollArea={false}
          onChange={(it) =>
            onChange({ ...reading, dateFormat: (it ?? 'ymd') as Reading['dateFormat'] })
          }
        />
        <Select
          label="Decimals are written"
          data={[
            { value: '.', label: '1,234.50' },
            { value: ',', label: '1.234,50' },
          ]}
          value={reading.decimal}
          allowDeselect={false}
          withScrollArea={false}
          onChange={(it) => onChange({ ...reading, decimal: it ?? '.' })}
        />
      </div>
      <StatusWords
        words={reading.words ?? {}}
        onChange={(words) => onChange({ ...reading, words })}
      />
    </>
  );
}
