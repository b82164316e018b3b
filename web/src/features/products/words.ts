// What the console says about products, word for word as people know it.

export const SAYS = {
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

/** How long a word about a product stays, and one about its account. */
export const STAYS = 1800;
export const ACCOUNT_STAYS = 2500;
