import { Autocomplete } from '@mantine/core';
import { useMemo } from 'react';
import { useTerminals } from '../api';

interface Props {
  storeId: string;
  value: string;
  error?: string;
  readOnly?: boolean;
  onChange(till: string): void;
}

/** The till of a reading: one that is known, or another one. */
export function TillField({ storeId, value, error, readOnly, onChange }: Props) {
  const { data } = useTerminals(storeId);
  const tills = useMemo(
    () => (data?.items ?? []).filter((till) => till.storeId === storeId).map((t) => t.terminalId),
    [data, storeId],
  );
  return (
    <Autocomplete
      label="Till"
      placeholder="Which till"
      data={tills}
      value={value}
      error={error}
      readOnly={readOnly}
      maxLength={50}
      onChange={onChange}
    />
  );
}
