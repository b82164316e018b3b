import { Switch, Textarea, TextInput } from '@mantine/core';
import { Panel } from '#/ui/Page';
import classes from './RoleEditor.module.css';
import type { RoleForm } from './useRoleForm';

interface Props {
  roleForm: RoleForm;
  isNew: boolean;
  readOnly: boolean;
}

/** A role's name, its description, and whether it needs two-step sign-in. */
export function RoleFields({ roleForm, isNew, readOnly }: Props) {
  const { edit, values, errors } = roleForm;
  const { form } = edit;
  return (
    <Panel title="Role">
      <div className={classes.fields}>
        <TextInput
          label="Name"
          withAsterisk
          aria-required
          data-path="name"
          readOnly={readOnly}
          autoComplete="off"
          autoFocus={isNew}
          value={String(values.name ?? '')}
          error={errors.name}
          onChange={(event) => form.setFieldValue('name', event.currentTarget.value)}
          onBlur={form.getInputProps('name').onBlur as () => void}
        />
        <Textarea
          label="Description"
          description="Who it is for, in a line."
          autosize
          minRows={2}
          maxRows={6}
          data-path="description"
          readOnly={readOnly}
          value={String(values.description ?? '')}
          error={errors.description}
          onChange={(event) => form.setFieldValue('description', event.currentTarget.value)}
        />
        <Switch
          label="Needs two-step sign-in"
          description="Without an authenticator app nothing can be opened; setting one up is asked for first."
          data-path="requireTotp"
          disabled={readOnly}
          checked={values.requireTotp === true}
          onChange={(event) => form.setFieldValue('requireTotp', event.currentTarget.checked)}
        />
      </div>
    </Panel>
  );
}
