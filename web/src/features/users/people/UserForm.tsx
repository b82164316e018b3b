import { Radio, Switch, TextInput } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useMe } from '#/api/session';
import { DrawerNote, DrawerSection } from '#/form/DrawerForm';
import { FormProblem } from '#/form/FormProblem';
import { RecordFormFrame } from '#/form/RecordFormFrame';
import type { Wire } from '#/form/types';
import { type RecordForm, useRecordForm } from '#/form/useRecordForm';
import { moment } from '#/ui/format';
import { type NewUser, type User, usersApi } from '../api';
import { RoleSelect } from '../parts/RoleSelect';
import { StoresField } from '../parts/StoresField';
import { useRoles, useStoreName } from '../queries';
import { ALL, decodeStores, storesForRole } from '../stores';
import classes from './UserForm.module.css';
import { type FormUser, inForm, isEmail, toForm, userFields } from './userFields';

interface Props {
  user: User | null;
  readOnly: boolean;
  /** Why the form is read-only. */
  reason?: string;
  onSaved(user: User, how: NewUser['password'] | null): void;
  onClose(): void;
  onDirty?(dirty: boolean): void;
}

/** The form of a user: details, role and stores. */
export function UserForm({ user, readOnly, reason, onSaved, onClose, onDirty }: Props) {
  const me = useMe();
  const done = useRef(false);
  const saved = useRef<User | null>(null);
  const [how, setHow] = useState<NewUser['password']>('invite');
  const { data: roles } = useRoles();
  const storeName = useStoreName();
  const key = useRef(onceKey());
  const [texts, setTexts] = useState<string[]>([]);
  const fields = useMemo(
    () => userFields({ roles: roles ?? [], storeName, stores: texts, decode: decodeStores }),
    [roles, storeName, texts],
  );

  const edit = useRecordForm<FormUser>({
    fields,
    record: user && toForm(user),
    save: async (changed, revision) => {
      try {
        const wire = toServer(changed, user === null);
        saved.current =
          user && revision !== null
            ? await usersApi.update(user.id, revision, wire)
            : await usersApi.create(
                { ...wire, password: how } as NewUser,
                key.current({ ...wire, how }),
              );
        return toForm(saved.current);
      } catch (error) {
        const problem = inForm(error);
        const current = problem.extras.current as FormUser | undefined;
        if (current) setTexts([current.stores, String(edit.form.values.stores ?? ALL)]);
        throw problem;
      }
    },
    onSaved: (_, created) => {
      done.current = true;
      if (saved.current) onSaved(saved.current, created ? how : null);
    },
  });

  useEffect(() => onDirty?.(edit.dirty), [onDirty, edit.dirty]);

  const { form } = edit;
  const values = form.values as Record<string, string | boolean | null>;
  const errors = form.errors as Record<string, string | undefined>;
  const self = user !== null && user.uid === me.user.uid;
  const superAdmin = values.superAdmin === true;
  const set = (name: string, value: string | boolean | null) => form.setFieldValue(name, value);
  const needsStores = (roleId: unknown) =>
    roles?.find(({ id }) => id === roleId)?.needsStores === true;
  const chooseRole = (roleId: string | null) => {
    set('roleId', roleId);
    const usual = user === null ? ALL : null;
    set('stores', storesForRole(String(values.stores ?? ALL), needsStores(roleId), usual));
  };
  const submit = () => {
    const stores = decodeStores(String(values.stores ?? ALL)) ?? [];
    const before = user && toForm(user);
    const changed = values.roleId !== before?.roleId || values.stores !== before?.stores;
    if (changed && !superAdmin && needsStores(values.roleId) && stores.length === 0) {
      form.setFieldError('stores', 'Choose the stores.');
      document.querySelector<HTMLElement>('[data-path="stores"]')?.focus();
      return;
    }
    void edit.submit();
  };
  const ownNote = self && !readOnly;
  const outbox = (me as { notices?: string[] }).notices?.includes('mailOutbox');

  return (
    <RecordFormFrame
      edit={edit}
      fields={fields}
      values={form.values}
      isNew={user === null}
      dirty={edit.dirty}
      busy={edit.busy}
      readOnly={readOnly}
      saved={done}
      saveLabel={user ? 'Save user' : 'Add user'}
      what="this user"
      bodyClass={classes.body}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormProblem edit={edit as unknown as RecordForm} />
      {readOnly && reason && <p className={classes.reason}>{reason}</p>}
      <div className={classes.pair}>
        <TextInput
          label="Name"
          withAsterisk
          aria-required
          data-path="name"
          data-autofocus={user === null || undefined}
          readOnly={readOnly}
          autoComplete="off"
          value={String(values.name ?? '')}
          error={errors.name}
          onChange={(event) => set('name', event.currentTarget.value)}
          onBlur={form.getInputProps('name').onBlur as () => void}
        />
        <TextInput
          label="Email"
          type="email"
          withAsterisk
          aria-required
          data-path="email"
          readOnly={readOnly}
          autoComplete="off"
          value={String(values.email ?? '')}
          error={errors.email}
          onChange={(event) => set('email', event.currentTarget.value)}
          onBlur={(event) => {
            const text = event.currentTarget.value;
            if (!text.trim()) form.validateField('email');
            else if (!isEmail(text)) {
              form.setFieldError('email', 'Enter an address such as name@company.com.');
            }
          }}
        />
      </div>

      <DrawerSection title="What they may do">
        <RoleSelect
          value={(values.roleId as string | null) ?? null}
          readOnly={readOnly || self}
          error={errors.roleId}
          hint={ownNote ? 'You cannot change your own role.' : undefined}
          note={superAdmin ? 'A super admin may do everything, with any role or none.' : undefined}
          onChange={chooseRole}
        />
        {(me.user.superAdmin || superAdmin) && (
          <Switch
            className={classes.switch}
            label="Super admin"
            description="May do everything in every store, whatever the role says, and make others super admins."
            data-path="superAdmin"
            disabled={readOnly || !me.user.superAdmin || self}
            checked={superAdmin}
            onChange={(event) => set('superAdmin', event.currentTarget.checked)}
          />
        )}
      </DrawerSection>

      <DrawerSection title="Where">
        {superAdmin ? (
          <p className={classes.plain}>A super admin reaches every store.</p>
        ) : (
          <StoresField
            value={String(values.stores ?? ALL)}
            readOnly={readOnly || self}
            needed={needsStores(values.roleId)}
            error={errors.stores}
            onChange={(value) => set('stores', value)}
          />
        )}
      </DrawerSection>

      <DrawerSection title="Account">
        <Switch
          label="Billable"
          description="Counts towards the seats that are paid for."
          data-path="billable"
          disabled={readOnly}
          checked={values.billable === true}
          onChange={(event) => set('billable', event.currentTarget.checked)}
        />
        {user === null && (
          <Radio.Group
            className={classes.how}
            label="How they sign in first"
            value={how}
            onChange={(value) => setHow(value as NewUser['password'])}
          >
            <div className={classes.cards}>
              <Radio.Card className={classes.card} value="invite">
                <Radio.Indicator />
                <span>
                  <strong>Send invitation</strong>
                  <span>
                    {outbox
                      ? 'A link to set a password, for three days. No mail server is set, so the email waits in the outbox folder.'
                      : 'A mail with a link to set a password, good for three days.'}
                  </span>
                </span>
              </Radio.Card>
              <Radio.Card className={classes.card} value="temporary">
                <Radio.Indicator />
                <span>
                  <strong>Temporary password</strong>
                  <span>Shown here for you to hand over. They change it at once.</span>
                </span>
              </Radio.Card>
            </div>
          </Radio.Group>
        )}
      </DrawerSection>
      {user && (
        <DrawerNote>
          Added {moment(user.createdAt)}. Last changed {moment(user.updatedAt)}
          {user.updatedBy?.name ? ` by ${user.updatedBy.name}` : ''}.
        </DrawerNote>
      )}
    </RecordFormFrame>
  );
}

/** An idempotency key per distinct body: sending the same body again is a retry. */
function onceKey(): (wire: Wire) => string {
  let [last, key] = ['', ''];
  return (wire) => {
    const text = JSON.stringify(wire);
    if (text !== last) [last, key] = [text, crypto.randomUUID()];
    return key;
  };
}

/** Changed fields in the server's shape. */
function toServer(changed: Wire, isNew: boolean): Wire {
  const { stores, superAdmin, ...rest } = changed;
  return {
    ...rest,
    ...('stores' in changed || isNew ? { storeIds: decodeStores(stores as string | null) } : {}),
    // The server refuses this field from anyone but super admins.
    ...(superAdmin === true || ('superAdmin' in changed && !isNew) ? { superAdmin } : {}),
  };
}
