import { Button, Skeleton, Switch, Textarea, TextInput } from '@mantine/core';
import { IconCopy, IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan, useMe } from '#/api/session';
import { FormProblem } from '#/form/FormProblem';
import { LeaveGuard } from '#/form/LeaveGuard';
import { StaleDialog } from '#/form/StaleDialog';
import type { Field } from '#/form/types';
import { type RecordForm, useRecordForm } from '#/form/useRecordForm';
import { toWire } from '#/form/values';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { moment, plural } from '#/ui/format';
import { Kbd } from '#/ui/Kbd';
import { Page, Panel } from '#/ui/Page';
import { done } from '#/ui/toast';
import { type Catalogue, peopleChanged, type Role, rolesApi } from '../api';
import { Person } from '../parts/Avatar';
import { RightsChange } from '../parts/Changes';
import { useCatalogue, useOwnRights, useRoles } from '../queries';
import {
  everyRight,
  isRight,
  neededApp,
  rightName,
  toGrants,
  toRightSet,
  withApp,
} from '../rights';
import { tabPath, USERS } from '../UsersFrame';
import { Matrix } from './Matrix';
import classes from './RoleEditor.module.css';

const back = <BackLink to={tabPath('roles')} label="Roles" />;

interface Props {
  /** An id, or `new`. */
  id: string;
  /** The id of the role to copy rights from. */
  copy: string;
}

/** The form of a role: its name, its rights, and who has it. */
export function RoleEditor({ id, copy }: Props) {
  const isNew = id === 'new';
  const catalogue = useCatalogue();
  const role = useQuery({
    queryKey: ['people', 'roles', 'one', id],
    queryFn: ({ signal }) => rolesApi.get(id, signal),
    enabled: !isNew,
  });
  const roles = useRoles();
  const model = copy ? roles.data?.find((one) => one.id === copy) : undefined;
  const error = catalogue.error ?? role.error;

  // Take over changes of others unless something has been changed here.
  const formStatus = useRef<FormStatus>({ dirty: false, revision: 0 });
  const base = useRef<Role | null>(null);
  const newest = Math.max(formStatus.current.revision, base.current?.revision ?? 0);
  if (role.data && !formStatus.current.dirty && role.data.revision > newest)
    base.current = role.data;

  if (catalogue.data && (isNew ? !copy || roles.data : role.data)) {
    return (
      <Form
        key={base.current?.revision ?? 'new'}
        role={isNew ? null : (role.data ?? null)}
        first={isNew ? null : base.current}
        formStatus={formStatus}
        model={model}
        catalogue={catalogue.data}
      />
    );
  }
  if (error) {
    return (
      <EmptyState
        page
        icon={IconFileUnknown}
        role="alert"
        title="This role could not be opened"
        text={Problem.of(error).message}
        action={
          <Button variant="default" component={Link} to={tabPath('roles')}>
            Back to roles
          </Button>
        }
      />
    );
  }
  return (
    <Page title="Role" back={back}>
      <div className={classes.columns}>
        <Skeleton height={640} radius="md" />
        <div className={classes.side}>
          <Skeleton height={260} radius="md" />
          <Skeleton height={200} radius="md" />
        </div>
      </div>
    </Page>
  );
}

/** A role in the form's shape: each right is a field, so that concurrent changes merge right by right. */
type FormRole = Record<string, unknown> & { id: string; revision: number };

function toForm(role: Role): FormRole {
  const { id, revision, name, description, requireTotp } = role;
  const rights = Object.fromEntries(
    [...toRightSet(role.permissions)].map((right) => [right, true]),
  );
  return { id, revision, name, description, requireTotp, ...rights };
}

function fieldsOf(catalogue: Catalogue): Field[] {
  return [
    { kind: 'text', name: 'name', label: 'Name', required: true, max: 100 },
    { kind: 'long', name: 'description', label: 'Description' },
    { kind: 'boolean', name: 'requireTotp', label: 'Needs two-step sign-in' },
    ...everyRight(catalogue).map(
      (name): Field => ({ kind: 'boolean', name, label: rightName(name, catalogue) }),
    ),
  ];
}

/** The form's own last saved revision, and whether it has unsaved changes. */
interface FormStatus {
  dirty: boolean;
  revision: number;
}

interface FormProps {
  /** The newest version. */
  role: Role | null;
  /** The version the form started from. */
  first: Role | null;
  formStatus: RefObject<FormStatus>;
  model: Role | undefined;
  catalogue: Catalogue;
}

function Form({ role, first, formStatus, model, catalogue }: FormProps) {
  const me = useMe();
  const own = useOwnRights();
  const state = useTableState();
  const allowed = useCan(USERS, role ? 'edit' : 'create');
  const locked = role?.lockedBecause;
  const mayEdit = allowed && !locked;
  const mayCreate = useCan(USERS, 'create');
  const saved = useRef(false);
  const fields = useMemo(() => fieldsOf(catalogue), [catalogue]);
  // The rights by revision: a change is sent as a whole map based on one revision.
  const known = useRef(new Map<number, Set<string>>());
  if (first && !known.current.has(first.revision)) {
    known.current.set(first.revision, toRightSet(first.permissions));
  }

  const edit = useRecordForm<FormRole>({
    fields,
    record: first && toForm(first),
    save: async (changed, revision) => {
      try {
        const base = new Set(revision === null ? [] : known.current.get(revision));
        const plain: Record<string, unknown> = {};
        let touched = revision === null;
        for (const [name, value] of Object.entries(changed)) {
          if (!isRight(name)) plain[name] = value ?? '';
          else {
            touched = true;
            if (value) base.add(name);
            else base.delete(name);
          }
        }
        if (touched) plain.permissions = toGrants(base);
        const answer =
          first && revision !== null
            ? await rolesApi.update(first.id, revision, plain)
            : await rolesApi.create({ description: '', ...plain });
        known.current.set(answer.revision, toRightSet(answer.permissions));
        formStatus.current.revision = answer.revision;
        return toForm(answer);
      } catch (error) {
        const problem = Problem.of(error);
        const current = problem.extras.current as Role | undefined;
        if (!current) throw problem;
        known.current.set(current.revision, toRightSet(current.permissions));
        throw new Problem(
          problem.status,
          problem.code,
          problem.message,
          problem.fields,
          problem.requestId,
          { ...problem.extras, current: toForm(current) },
        );
      }
    },
    onSaved: (answer, created) => {
      peopleChanged();
      done(created ? 'Role created' : 'Role saved');
      if (!created) return;
      saved.current = true;
      state.set({ open: answer.id, copy: null });
    },
  });

  useEffect(() => {
    formStatus.current.dirty = edit.dirty;
  }, [formStatus, edit.dirty]);

  const { form } = edit;
  const values = form.values as Record<string, string | boolean | null>;
  const errors = form.errors as Record<string, string | undefined>;
  const rights = new Set(
    Object.keys(values).filter((name) => isRight(name) && values[name] === true),
  );
  // The saved rights: the form's values without its changes.
  const before = new Set(rights);
  for (const [name, on] of Object.entries(edit.changed)) {
    if (!isRight(name)) continue;
    if (on) before.delete(name);
    else before.add(name);
  }
  const free = (name: string) => own.holds(name) || before.has(name);
  const app = neededApp(rights);

  function setRights(wished: ReadonlySet<string>): void {
    const next = withApp(rights, wished, free);
    const changed: Record<string, boolean> = {};
    for (const { name } of fields) {
      if (isRight(name) && next.has(name) !== rights.has(name)) changed[name] = next.has(name);
    }
    form.setValues(changed);
  }

  function discard(): void {
    const back: Record<string, string | boolean> = {};
    for (const name of Object.keys(edit.changed)) {
      if (isRight(name)) back[name] = before.has(name);
    }
    const plain = role ?? { name: '', description: '', requireTotp: false };
    const { name, description, requireTotp } = plain;
    form.setValues({ ...back, name, description, requireTotp });
    form.clearErrors();
  }

  // A copy starts with those rights of its model that the user may grant.
  const [left, setLeft] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on mount
  useEffect(() => {
    if (first || !model) return;
    const all = [...toRightSet(model.permissions)];
    const given = all.filter(own.holds);
    setLeft(all.length - given.length);
    form.setValues({
      name: `${model.name} (copy)`,
      description: model.description,
      requireTotp: model.requireTotp,
      ...Object.fromEntries(given.map((name) => [name, true])),
    });
  }, []);

  const mine = role !== null && me.user.roleId === role.id && !me.user.superAdmin;
  const title = role?.name ?? (model ? `Copy of ${model.name}` : 'New role');

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void edit.submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && mayEdit) {
          event.preventDefault();
          void edit.submit();
        }
      }}
    >
      <Page
        title={title}
        back={back}
        aside={role ? plural(role.users, 'person', 'people') : undefined}
        actions={
          role &&
          mayCreate && (
            <Button
              variant="default"
              leftSection={<IconCopy size={16} aria-hidden />}
              onClick={() => state.set({ open: 'new', copy: role.id }, true)}
            >
              Copy role
            </Button>
          )
        }
      >
        <FormProblem edit={edit as unknown as RecordForm} />
        {!mayEdit && (
          <p className={classes.notice}>
            {(allowed && locked) || 'You may look at roles but not change them.'}
          </p>
        )}
        {mayEdit && mine && (
          <p className={classes.notice}>
            This is your own role: you can take rights from yourself, and only someone else can give
            them back.
          </p>
        )}
        {app && (
          <p className={classes.notice} role="status">
            {rightName(app, catalogue)} is missing: users with this role cannot use its rights.{' '}
            {mayEdit && own.holds(app) && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => setRights(new Set([...rights, app]))}
              >
                Add it
              </Button>
            )}
          </p>
        )}
        {left > 0 && (
          <p className={classes.notice}>
            {plural(left, 'right')} of {model?.name} {left === 1 ? 'is' : 'are'} left out, because
            you do not hold {left === 1 ? 'it' : 'them'} yourself.
          </p>
        )}
        <div className={classes.columns}>
          <Matrix
            catalogue={catalogue}
            rights={rights}
            before={role ? before : rights}
            free={free}
            readOnly={!mayEdit}
            onChange={setRights}
          />
          <div className={classes.side}>
            <Panel title="Role">
              <div className={classes.fields}>
                <TextInput
                  label="Name"
                  withAsterisk
                  aria-required
                  data-path="name"
                  readOnly={!mayEdit}
                  autoComplete="off"
                  autoFocus={role === null}
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
                  readOnly={!mayEdit}
                  value={String(values.description ?? '')}
                  error={errors.description}
                  onChange={(event) => form.setFieldValue('description', event.currentTarget.value)}
                />
                <Switch
                  label="Needs two-step sign-in"
                  description="Without an authenticator app nothing can be opened; setting one up is asked for first."
                  data-path="requireTotp"
                  disabled={!mayEdit}
                  checked={values.requireTotp === true}
                  onChange={(event) =>
                    form.setFieldValue('requireTotp', event.currentTarget.checked)
                  }
                />
              </div>
            </Panel>
            {role && <Holders role={role} />}
            {role && (
              <p className={classes.note}>
                Last changed {moment(role.updatedAt)}
                {role.updatedBy?.name ? ` by ${role.updatedBy.name}` : ''}.
              </p>
            )}
          </div>
        </div>
        {mayEdit && (edit.dirty || role === null) && (
          <SaveBar
            isNew={role === null}
            people={role?.users ?? 0}
            changed={edit.changed}
            rights={rights.size}
            catalogue={catalogue}
            busy={edit.busy}
            onDiscard={discard}
          />
        )}
      </Page>
      <LeaveGuard dirty={edit.dirty && mayEdit} what="this role" saved={saved} />
      {edit.stale && (
        <StaleDialog
          stale={edit.stale}
          fields={fields}
          mine={toWire(fields, form.values)}
          busy={edit.busy}
          onResolve={edit.resolve}
          onClose={edit.keepTyping}
        />
      )}
    </form>
  );
}

interface BarProps {
  isNew: boolean;
  people: number;
  changed: Record<string, unknown>;
  rights: number;
  catalogue: Catalogue;
  busy: boolean;
  onDiscard(): void;
}

/** A summary of the unsaved changes. */
function SaveBar({ isNew, people, changed, rights, catalogue, busy, onDiscard }: BarProps) {
  const [opened, setOpened] = useState(false);
  const names = Object.keys(changed).filter(isRight);
  const added = names.filter((name) => changed[name] === true);
  const removed = names.filter((name) => changed[name] !== true);
  const others = Object.keys(changed).length - names.length;
  const summaryText = isNew
    ? `${plural(rights, 'right')} given`
    : [
        added.length > 0 && `${plural(added.length, 'right')} added`,
        removed.length > 0 &&
          `${added.length > 0 ? removed.length : plural(removed.length, 'right')} removed`,
        names.length === 0 && `${plural(others, 'field')} changed`,
        names.length > 0 &&
          (people > 0
            ? `affects ${plural(people, 'person', 'people')} at once`
            : 'nobody has it yet'),
      ]
        .filter(Boolean)
        .join(', ');

  return (
    <section className={classes.save} aria-label="Changes">
      {opened && names.length > 0 && (
        <div className={classes.diff}>
          <RightsChange {...{ added, removed }} nameOf={(name) => rightName(name, catalogue)} />
        </div>
      )}
      <div className={classes.saveLine}>
        <strong className="num" aria-live="polite">
          {summaryText}
        </strong>
        {!isNew && names.length > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {opened ? 'Hide' : 'Show'}
          </Button>
        )}
        <span className={classes.keys}>
          <Kbd>Ctrl Enter</Kbd>
        </span>
        {isNew ? (
          <Button variant="default" component={Link} to={tabPath('roles')}>
            Cancel
          </Button>
        ) : (
          <Button variant="default" onClick={onDiscard}>
            Discard changes
          </Button>
        )}
        <Button type="submit" loading={busy}>
          {isNew ? 'Create role' : 'Save role'}
        </Button>
      </div>
    </section>
  );
}

function Holders({ role }: { role: Role }) {
  const { data, error } = useQuery({
    queryKey: ['people', 'roles', 'users', role.id],
    queryFn: ({ signal }) => rolesApi.users(role.id, signal),
  });
  const [all, setAll] = useState(false);
  const shown = all ? data : data?.slice(0, 8);
  return (
    <Panel title="Who has it" aside={<span className={classes.count}>{role.users}</span>}>
      {error && !data ? (
        <p className={classes.nobody}>{Problem.of(error).message}</p>
      ) : !data ? (
        [1, 2, 3].map((i) => <Skeleton key={i} height={24} mb="xs" />)
      ) : data.length === 0 ? (
        <p className={classes.nobody}>Nobody yet. Give it in the form of a user.</p>
      ) : (
        <ul className={classes.holders}>
          {shown?.map(({ id, name, email, status }) => (
            <li key={id} data-off={status !== 'Active' || undefined}>
              <Link to={tabPath('users', { open: id })}>
                <Person name={name} email={email} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {data && data.length > 8 && !all && (
        <Button size="compact-sm" variant="subtle" mt={4} onClick={() => setAll(true)}>
          Show all {data.length}
        </Button>
      )}
    </Panel>
  );
}
