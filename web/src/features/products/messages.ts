// The toasts about products; their wording is specified.

export const MESSAGES = {
  created: 'Product created',
  updated: 'Product updated',
  deleted: 'Product deleted',
  inactive: 'Product marked inactive',
  active: 'Product marked active',
  account: 'Account updated',
  notSaved: 'Failed to save product',
  notUpdated: 'Failed to update product',
  notDeleted: 'Failed to delete product',
  notInactive: 'Failed to mark inactive',
  notActive: 'Failed to mark active',
  notAccount: 'Failed to update account',
  unknown: 'Product not found',
} as const;

/** How long the toasts stay, in milliseconds. */
export const TOAST_MS = 1800;
export const ACCOUNT_TOAST_MS = 2500;
