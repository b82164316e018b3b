import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useNameOf } from '#/api/names';
import { useMe } from '#/api/session';
import { type Role, rolesApi } from './api';
import { flat } from './rights';

/** Every role, with what it allows and how many have it. */
export function useRoles() {
  return useQuery({
    queryKey: ['people', 'roles', 'all'],
    queryFn: ({ signal }) => rolesApi.all(signal),
  });
}

/** Categories, pages and the actions that mean something there; it changes with the server only. */
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

/** What the one who is signed in may hand on. */
export function useOwnRights() {
  const me = useMe();
  return useMemo(() => {
    const rights = flat(me.permissions);
    const { superAdmin } = me.user;
    return {
      superAdmin,
      holds: (name: string) => superAdmin || rights.has(name),
      /** Whether every right of a role is one's own. */
      covers: (role: Pick<Role, 'permissions'> | undefined) =>
        superAdmin || [...flat(role?.permissions)].every((name) => rights.has(name)),
      /** Null where every store is within reach. */
      stores: superAdmin ? null : (me.user.storeIds ?? null),
    };
  }, [me]);
}
