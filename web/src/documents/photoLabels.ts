import { plural } from '#/ui/format';

/** What is said of photos beyond the most that a document takes. */
export const noRoomFor = (left: number, most: number): string =>
  `${plural(left, 'photo was', 'photos were')} left out: a document takes ${most}.`;
