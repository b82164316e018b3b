import { Button, Skeleton } from '@mantine/core';
import { IconCopy, IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { FormProblem } from '#/form/FormProblem';
import { LeaveGuard } from '#/form/LeaveGuard';
import { StaleDialog } from '#/form/StaleDialog';
import type { RecordForm } from '#/form/useRecordForm';
import { toWire } from '#/form/values';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { moment, plural } from '#/ui/format';
import { Kbd } from '#/ui/Kbd';
import { Page, Panel } from '#/ui/Page';
import { type Catalogue, type Role, rolesApi } from '../api';
import { Person } from '../parts/Avatar';
import { RightsChange } from '../parts/Changes';
import { useCatalogue, useRoles } from '../queries';
import { isRight, rightName } from '../rights';
import { tabPath, USERS } from '../UsersFrame';
import { Matrix } from './Matrix';
import classes from './RoleEditor.module.css';
import { RoleFields } from './RoleFields';
import { RoleNotices } from './RoleNotices';
import { type FormStatus, useRoleForm } from './useRoleForm';

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
  const state = useTableState();
  const allowed = useCan(USERS, role ? 'edit' : 'create');
  const locked = role?.lockedBecause;
  const mayEdit = allowed && !locked;
  const mayCreate = useCan(USERS, 'create');
  const saved = useRef(false);
  const roleForm = useRoleForm({
    role,
    first,
    formStatus,
    model,
    catalogue,
    onCreated(id) {
      saved.current = true;
      state.set({ open: id, copy: null });
    },
  });
  const { edit, fields, rights, before } = roleForm;
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
        <RoleNotices
          role={role}
          model={model}
          roleForm={roleForm}
          catalogue={catalogue}
          mayEdit={mayEdit}
          locked={allowed ? locked : null}
        />
        <div className={classes.columns}>
          <Matrix
            catalogue={catalogue}
            rights={rights}
            before={role ? before : rights}
            free={roleForm.free}
            readOnly={!mayEdit}
            onChange={roleForm.setRights}
          />
          <div className={classes.side}>
            <RoleFields roleForm={roleForm} isNew={role === null} readOnly={!mayEdit} />
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
            onDiscard={roleForm.discard}
          />
        )}
      </Page>
      <LeaveGuard dirty={edit.dirty && mayEdit} what="this role" saved={saved} />
      {edit.stale && (
        <StaleDialog
          stale={edit.stale}
          fields={fields}
          mine={toWire(fields, edit.form.values)}
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
