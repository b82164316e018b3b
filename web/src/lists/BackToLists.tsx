import { pages } from '#/paths';
import { BackLink } from '#/ui/BackLink';

export function BackToLists() {
  return <BackLink to={pages.lists.path} label="All lists" />;
}
