import { type Icon, IconFileText } from '@tabler/icons-react';
import { kinds } from '#/kinds.gen';

/** The picture of a kind of record, the same wherever it is met. */
export function kindIcon(kind: string): Icon {
  return kinds[kind]?.icon ?? IconFileText;
}
