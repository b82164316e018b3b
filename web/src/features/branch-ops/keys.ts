/** The prefix of this app's query keys: live events about a store's day refresh them. */
export const KEY = ['branch-ops'] as const;

/** The localStorage key of the last chosen store. */
export const LAST_STORE = 'branchOps:lastStoreId';
