import {
  ActionIcon,
  Autocomplete,
  MultiSelect,
  Select,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { IconExternalLink } from '@tabler/icons-react';
import { useNames } from '#/api/names';
import { numberField } from '#/ui/numberField';
import { webLink } from '#/ui/webLink';
import { Choice } from './Choice';
import { SubTable } from './SubTable';
import type { Field, FormValues, SubRow } from './types';
import type { RecordForm } from './useRecordForm';
import { idsOf, isOn, readsAs } from './values';

interface Props {
  field: Field;
  form: RecordForm['form'];
  readOnly?: boolean;
  autoFocus?: boolean;
}

/** The input of a field of any kind. */
export function FieldInput({ field, form, readOnly: shown, autoFocus }: Props) {
  const { name, label } = field;
  const required = field.required || field.requiredWhen?.(form.values) === true;
  const readOnly = shown || Boolean(field.locked);
  const hint = field.locked ?? field.hint;
  const bound = form.getInputProps(name);
  const common = {
    label,
    description: hint,
    withAsterisk: required,
    // A date is chosen with a button, which cannot be `required`.
    'aria-required': (required && field.kind !== 'date') || undefined,
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
          // A scroll area inside the list box would be focusable without being an option.
          withScrollArea={false}
        />
      ) : (
        <TextInput
          {...common}
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
          onBlur={() => {
            const tidy = field.tidy?.(text) ?? text;
            if (tidy !== text && !readOnly) set(tidy);
            common.onBlur();
          }}
          autoComplete="off"
        />
      );
    case 'email':
      return (
        <TextInput
          {...common}
          type="email"
          inputMode="email"
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
          autoComplete="off"
        />
      );
    case 'web':
      return (
        <TextInput
          {...common}
          inputMode="url"
          value={text}
          placeholder="https://"
          onChange={(event) => set(event.currentTarget.value)}
          autoComplete="off"
          rightSection={<OpenLink address={text} label={label} />}
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
          {...numberField(readsAs(field), field.unit)}
          value={text}
          className="num"
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
          checked={isOn(field, form.values)}
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
    case 'choice':
      return (
        <Choice
          {...common}
          options={field.options}
          value={(bound.value as string | null) ?? null}
          onChange={set}
        />
      );
    case 'enum':
    case 'parent':
      return (
        <Select
          {...common}
          value={(bound.value as string | null) ?? null}
          data={optionsOf(field, form.values)}
          searchable
          selectFirstOptionOnChange
          allowDeselect={false}
          openOnFocus={false}
          clearable={!required && !readOnly}
          clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
          nothingFoundMessage="Nothing matches"
          placeholder={field.kind === 'parent' ? 'None (top level)' : 'Choose'}
          onChange={set}
        />
      );
    case 'ref':
      return <RefSelect {...common} of={field.of} value={bound.value as string | null} set={set} />;
    case 'refs':
      return (
        <RefsSelect
          {...common}
          of={field.of}
          none={field.none}
          value={idsOf(bound.value as string | null)}
          set={(ids) => set(ids.join(','))}
        />
      );
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

/** The current options; a chosen value that is no longer among them stays until changed. */
function optionsOf(field: Field & { kind: 'enum' | 'parent' }, values: FormValues) {
  if (!field.optionsFor) return field.options;
  const options = field.optionsFor(values);
  const value = values[field.name];
  if (typeof value !== 'string' || options.some((one) => one.value === value)) return options;
  return [{ value, label: value, disabled: true }, ...options];
}

function OpenLink({ address, label }: { address: string; label: string }) {
  const href = webLink(address);
  if (!href) return null;
  return (
    <ActionIcon
      component="a"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      variant="subtle"
      color="gray"
      aria-label={`Open ${label.toLowerCase()} in a new tab`}
    >
      <IconExternalLink size={16} stroke={1.7} />
    </ActionIcon>
  );
}

interface RefProps {
  of: string;
  value: string | null;
  label?: string;
  readOnly?: boolean;
  withAsterisk?: boolean;
  /** An id to leave out, such as the record itself in a merge. */
  without?: string;
  /** Limits the options to these ids. */
  only?: ReadonlySet<string>;
  set(value: string | null): void;
}

/** A choice of a record by name; the id of a missing record is kept and shown as unknown. */
export function RefSelect({ of, value, set, without, only, ...rest }: RefProps) {
  const { data: names, isPending } = useNames(of);
  const options = (names ?? [])
    .filter(({ id }) => id !== without && (only?.has(id) ?? true))
    .map(({ id, name, code }) => ({
      value: id,
      label: code && code !== name ? `${name} · ${code}` : name,
    }));
  if (value && names && !names.some(({ id }) => id === value)) {
    options.unshift({ value, label: `Unknown (${value})` });
  }
  return (
    <Select
      {...rest}
      value={value ?? null}
      data={options}
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
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

interface RefsProps {
  of: string;
  none: string;
  value: string[];
  label?: string;
  readOnly?: boolean;
  set(ids: string[]): void;
}

/** A choice of several records by name. */
function RefsSelect({ of, none, value, set, ...rest }: RefsProps) {
  const { data: names, isPending } = useNames(of);
  const known = new Set(names?.map(({ id }) => id));
  const lost = names ? value.filter((id) => !known.has(id)) : [];
  return (
    <MultiSelect
      {...rest}
      value={value}
      data={[
        ...lost.map((id) => ({ value: id, label: `Unknown (${id})` })),
        ...(names ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
      searchable
      selectFirstOptionOnChange
      limit={100}
      clearable={!rest.readOnly}
      clearButtonProps={{ 'aria-label': `Clear ${(rest.label ?? 'choice').toLowerCase()}` }}
      nothingFoundMessage={isPending ? 'Loading…' : 'Nothing matches'}
      placeholder={value.length === 0 ? none : undefined}
      onChange={set}
    />
  );
}
