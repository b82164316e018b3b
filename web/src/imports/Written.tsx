import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { Segments } from '#/ui/Segments';
import { DATE_FORMATS, type DateFormat } from './dateFormats';
import classes from './Written.module.css';

interface OptionProps {
  name: string;
  className?: string;
  children: ReactNode;
}

/** A question about a file's format, with a label. */
export function Option({ name, className, children }: OptionProps) {
  return (
    <div className={[classes.option, className].filter(Boolean).join(' ')}>
      <span className={classes.name}>{name}</span>
      {children}
    </div>
  );
}

type Mark = '.' | ',';

/** The decimal separator. */
export function DecimalMark({ value, onChange }: { value: Mark; onChange(mark: Mark): void }) {
  return (
    <Option name="Decimal mark">
      <Segments
        label="Decimal mark"
        value={value}
        options={[
          { value: '.', label: '1234.50' },
          { value: ',', label: '1234,50' },
        ]}
        onChange={onChange}
      />
    </Option>
  );
}

interface DateProps {
  value: DateFormat;
  onChange(format: DateFormat): void;
}

/** The order of day, month and year. */
export function DateFormatSelect({ value, onChange }: DateProps) {
  return (
    <Select
      label="Dates are written"
      value={value}
      data={[...DATE_FORMATS]}
      allowDeselect={false}
      onChange={(next) => next && onChange(next as DateFormat)}
    />
  );
}
