import { Autocomplete, Select, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useNames } from '#/api/names';
import { SubTable } from './SubTable';
import type { Field, SubRow } from './types';
import type { RecordForm } from './useRecordForm';

interface Props {
  field: Field;
  form: RecordForm['form'];
  readOnly?: boolean;
  autoFocus?: boolean;
}

/** Draws one field of any kind. */
export function FieldInput({ field, form, readOnly, autoFocus }: Props) {
  const { name, label, hint, required } = field;
  const bound = form.getInputProps(name);
  const common = {
    label,
    description: hint,
    withAsterisk: required,
    'aria-required': required || undefined,
    readOnly,
    'data-path': name,
    'data-autofocus': autoFocus || undefined,
    error: bound.error as string | undefined,
    onBlur: bound.onBlur as () => void,
  };
  const text = (bound.value ?? '') as string;
  const set = (value: string | null) => form.setFieldValue(name, value);

  switch (field.kind) {
    case 'text':
      return field.suggest ? (
        <Autocomplete
          {...common}
          value={text}
          data={[...field.suggest]}
          onChange={set}
          maxLength={field.max}
        />
      ) : (
        <TextInput
          {...common}
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
          autoComplete="off"
        />
      );
    case 'long':
      return (
        <Textarea
          {...common}
          value={text}
          autosize
          minRows={2}
          maxRows={8}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case 'decimal':
    case 'money':
    case 'integer':
      return (
        <TextInput
          {...common}
          value={text}
          className="num"
          inputMode={field.kind === 'integer' ? 'numeric' : 'decimal'}
          autoComplete="off"
          leftSection={field.kind === 'money' ? <span aria-hidden>₱</span> : undefined}
          rightSection={
            field.unit ? (
              <Text span size="xs" c="dimmed" aria-hidden>
                {field.unit}
              </Text>
            ) : undefined
          }
          rightSectionWidth={field.unit ? 20 + field.unit.length * 6.5 : undefined}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case 'boolean':
      return (
        <Switch
          label={label}
          description={hint}
          data-path={name}
          disabled={readOnly}
          checked={bound.value === true}
          onChange={(event) => form.setFieldValue(name, event.currentTarget.checked)}
          my={6}
        />
      );
    case 'date':
      return (
        <DatePickerInput
          {...common}
          value={(bound.value as string | null) ?? null}
          valueFormat="D MMM YYYY"
          firstDayOfWeek={1}
          clearable={!readOnly}
          clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
          placeholder="Choose a date"
          onChange={(value) => set(value)}
        />
      );
    case 'enum':
    case 'parent':
      return (
        <Select
          {...common}
          value={(bound.value as string | null) ?? null}
          data={field.options}
          searchable
          openOnFocus={false}
          clearable={!required && !readOnly}
          clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
          nothingFoundMessage="Nothing matches"
          placeholder={field.kind === 'parent' ? 'None: at the top' : 'Choose'}
          onChange={set}
        />
      );
    case 'ref':
      return <RefSelect {...common} of={field.of} value={bound.value as string | null} set={set} />;
    case 'table':
      return (
        <SubTable
          field={field}
          rows={(bound.value ?? []) as SubRow[]}
          errors={form.errors as Record<string, string>}
          readOnly={readOnly}
          onChange={(rows) => form.setFieldValue(name, rows)}
        />
      );
  }
}

interface RefProps {
  of: string;
  value: string | null;
  label?: string;
  readOnly?: boolean;
  withAsterisk?: boolean;
  set(value: string | null): void;
}

/** A reference by name; an id whose name cannot be found is kept and shown as it is. */
export function RefSelect({ of, value, set, ...rest }: RefProps) {
  const { data: names, isPending } = useNames(of);
  const options = (names ?? []).map(({ id, name, code }) => ({
    value: id,
    label: code && code !== name ? `${name} · ${code}` : name,
  }));
  if (value && names && !names.some(({ id }) => id === value)) {
    options.unshift({ value, label: value });
  }
  return (
    <Select
      {...rest}
      value={value ?? null}
      data={options}
      searchable
      openOnFocus={false}
      limit={100}
      clearable={!rest.withAsterisk && !rest.readOnly}
      clearButtonProps={{ 'aria-label': `Clear ${(rest.label ?? 'choice').toLowerCase()}` }}
      nothingFoundMessage={isPending ? 'Loading…' : 'Nothing matches'}
      placeholder="Choose"
      onChange={set}
    />
  );
}
