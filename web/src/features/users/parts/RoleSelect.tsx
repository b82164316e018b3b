import { Select } from '@mantine/core';
import { useCatalogue, useOwnRights, useRoles } from '../queries';
import { summary } from '../rights';
import classes from './Fields.module.css';

interface Props {
  value: string | null;
  onChange(value: string | null): void;
  label?: string;
  hint?: string;
  readOnly?: boolean;
  required?: boolean;
  error?: string;
  placeholder?: string;
  /** Shown below instead of the role's summary. */
  note?: string;
  autoFocus?: boolean;
}

/** A choice of role with a summary of its rights; roles with rights the user lacks are disabled. */
export function RoleSelect({ value, onChange, hint, ...props }: Props) {
  const { data: roles = [], isPending } = useRoles();
  const { data: catalogue } = useCatalogue();
  const own = useOwnRights();
  const words = (id: string) => {
    const role = roles.find((one) => one.id === id);
    return role && catalogue ? summary(role.permissions, catalogue) : '';
  };
  const beyond = (id: string) => {
    const role = roles.find((one) => one.id === id);
    return role !== undefined && id !== value && !own.covers(role);
  };
  const options = roles.map(({ id, name }) => ({ value: id, label: name, disabled: beyond(id) }));
  if (value && !isPending && !roles.some(({ id }) => id === value)) {
    options.unshift({ value, label: value, disabled: false });
  }

  return (
    <div className={classes.role}>
      <Select
        label={props.label ?? 'Role'}
        description={hint}
        data={options}
        value={value}
        readOnly={props.readOnly}
        withAsterisk={props.required}
        aria-required={props.required || undefined}
        data-path="roleId"
        data-autofocus={props.autoFocus || undefined}
        error={props.error}
        searchable
        openOnFocus={false}
        clearable={!props.readOnly && !props.required}
        clearButtonProps={{ 'aria-label': 'Clear role' }}
        placeholder={props.placeholder ?? 'No role'}
        // Only the list of options may scroll.
        styles={{
          dropdown: { maxHeight: 'none', overflow: 'visible' },
          options: { maxHeight: 320, overflowY: 'auto' },
        }}
        nothingFoundMessage={isPending ? 'Loading…' : 'Nothing matches'}
        renderOption={({ option }) => (
          <span className={classes.option}>
            <span className={classes.optionName}>{option.label}</span>
            <span className={classes.optionText}>
              {option.disabled
                ? 'Holds rights that you do not hold, so you cannot give it.'
                : words(option.value)}
            </span>
          </span>
        )}
        onChange={onChange}
      />
      <p className={classes.summary}>
        {props.note ??
          (value ? words(value) : 'Without a role nothing can be opened after signing in.')}
      </p>
    </div>
  );
}
