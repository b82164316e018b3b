import { type Icon, IconFileText } from '@tabler/icons-react';
import { kinds } from '#/kinds.gen';

/** The icon of a kind of record. */
export function kindIcon(kind: string): Icon {
  return kinds[kind]?.icon ?? IconFileText;
}
