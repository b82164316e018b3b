import { Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Dataset, Field } from './types';

interface Props {
  label: string;
  placeholder: string;
  dataset: Dataset;
  /** Which fields to offer. */
  offers(field: Field): boolean;
  disabled?: boolean;
  onAdd(key: string): void;
}

/** A list of fields under headings; choosing one adds it. */
export function FieldAdd({ label, placeholder, dataset, offers, disabled, onAdd }: Props) {
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const field of dataset.fields.filter(offers)) {
    const group = groups.get(field.group) ?? [];
    group.push({ value: field.key, label: field.label });
    groups.set(field.group, group);
  }
  if (groups.size === 0) return null;
  return (
    <Select
      // A chosen field becomes a line above; the box is empty again.
      value={null}
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconPlus size={15} stroke={1.8} aria-hidden />}
      rightSection={<span />}
      data={[...groups].map(([group, items]) => ({ group, items }))}
      searchable
      clearable={false}
      disabled={disabled}
      size="xs"
      nothingFoundMessage="No such field"
      maxDropdownHeight={300}
      onChange={(key) => key && onAdd(key)}
    />
  );
}
