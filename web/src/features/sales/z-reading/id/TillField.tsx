import { Autocomplete } from '@mantine/core';
import { type KeyboardEvent, useMemo } from 'react';
import { useTerminals } from '../api';

interface Props {
  storeId: string;
  value: string;
  error?: string;
  readOnly?: boolean;
  /** A hint below it. */
  hint?: string;
  onChange(till: string): void;
  onEnter?(event: KeyboardEvent<HTMLInputElement>): void;
}

/** The till of a reading: a known or a new one. */
export function TillField({ storeId, value, error, readOnly, hint, onChange, onEnter }: Props) {
  const { data } = useTerminals(storeId);
  const tills = useMemo(
    () => (data?.items ?? []).filter((till) => till.storeId === storeId).map((t) => t.terminalId),
    [data, storeId],
  );
  return (
    <Autocomplete
      label="Till"
      name="terminalId"
      description={hint}
      placeholder="Till number"
      data={tills}
      value={value}
      error={error}
      readOnly={readOnly}
      maxLength={50}
      onChange={onChange}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) onEnter?.(event);
      }}
    />
  );
}
