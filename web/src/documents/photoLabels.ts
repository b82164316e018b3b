import { plural } from '#/ui/format';

/** The message for photos beyond a document's limit. */
export const noRoomFor = (left: number, most: number): string =>
  `${plural(left, 'photo was', 'photos were')} left out: a document takes ${most}.`;
