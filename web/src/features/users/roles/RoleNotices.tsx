import { Button } from '@mantine/core';
import { useMe } from '#/api/session';
import { plural } from '#/ui/format';
import type { Catalogue, Role } from '../api';
import { useOwnRights } from '../queries';
import { neededApp, rightName } from '../rights';
import classes from './RoleEditor.module.css';
import type { RoleForm } from './useRoleForm';

interface Props {
  role: Role | null;
  /** The role that rights are copied from. */
  model: Role | undefined;
  roleForm: RoleForm;
  catalogue: Catalogue;
  mayEdit: boolean;
  /** Why the role cannot be changed by anyone. */
  locked: string | null | undefined;
}

/** What to know before the rights of a role are changed. */
export function RoleNotices({ role, model, roleForm, catalogue, mayEdit, locked }: Props) {
  const me = useMe();
  const own = useOwnRights();
  const { rights, setRights, leftOut } = roleForm;
  const app = neededApp(rights);
  const mine = role !== null && me.user.roleId === role.id && !me.user.superAdmin;
  return (
    <>
      {!mayEdit && (
        <p className={classes.notice}>{locked || 'You may look at roles but not change them.'}</p>
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
      {leftOut > 0 && (
        <p className={classes.notice}>
          {plural(leftOut, 'right')} of {model?.name} {leftOut === 1 ? 'is' : 'are'} left out,
          because you do not hold {leftOut === 1 ? 'it' : 'them'} yourself.
        </p>
      )}
    </>
  );
}
