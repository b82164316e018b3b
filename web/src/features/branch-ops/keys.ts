/** How the keys of this app's queries begin: live events about what stores receive refresh them. */
export const KEY = ['stores', 'receive', 'branch'] as const;

/** The localStorage key of the store chosen last. */
export const LAST_STORE = 'branchOps:lastStoreId';
