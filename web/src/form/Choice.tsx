import { Input, SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import type { Option } from './types';

interface Props {
  label: string;
  description?: string;
  error?: string;
  withAsterisk?: boolean;
  readOnly?: boolean;
  options: readonly Option[];
  value: string | null;
  'data-path': string;
  onChange(value: string): void;
}

/** A segmented control for a few options. */
export function Choice(props: Props) {
  const { label, description, error, withAsterisk, readOnly, options, value, onChange } = props;
  const id = useId();
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      description={description}
      error={error}
      withAsterisk={withAsterisk}
    >
      <SegmentedControl
        fullWidth
        size="sm"
        aria-labelledby={id}
        data-path={props['data-path']}
        readOnly={readOnly}
        value={value ?? ''}
        data={options.map((option) => ({ value: option.value, label: option.label }))}
        onChange={onChange}
      />
    </Input.Wrapper>
  );
}
