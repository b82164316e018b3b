/** How the keys of this app's queries begin: live events about a store's day refresh them. */
export const KEY = ['branch-ops'] as const;

/** The localStorage key of the store chosen last. */
export const LAST_STORE = 'branchOps:lastStoreId';
