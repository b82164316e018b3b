import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useNameOf } from '#/api/names';
import { useMe } from '#/api/session';
import { type Role, rolesApi } from './api';
import { toRightSet } from './rights';

/** All roles with their rights and number of users. */
export function useRoles() {
  return useQuery({
    queryKey: ['people', 'roles', 'all'],
    queryFn: ({ signal }) => rolesApi.all(signal),
  });
}

/** The catalogue of permissions; it changes only with the server's version. */
export function useCatalogue() {
  return useQuery({
    queryKey: ['permissions'],
    queryFn: ({ signal }) => rolesApi.catalogue(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useStoreName(): (id: string) => string | undefined {
  const names = useNameOf('stores');
  return useCallback((id: string) => names.get(id)?.name, [names]);
}

/** The rights and stores the signed-in user may grant to others. */
export function useOwnRights() {
  const me = useMe();
  return useMemo(() => {
    const rights = toRightSet(me.permissions);
    const { superAdmin } = me.user;
    return {
      superAdmin,
      holds: (name: string) => superAdmin || rights.has(name),
      /** Whether the user has every right of a role. */
      covers: (role: Pick<Role, 'permissions'> | undefined) =>
        superAdmin || [...toRightSet(role?.permissions)].every((name) => rights.has(name)),
      /** The user's stores; null for all. */
      stores: superAdmin ? null : (me.user.storeIds ?? null),
    };
  }, [me]);
}
