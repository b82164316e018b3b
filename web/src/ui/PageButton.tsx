import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { type PageKey, pages, spec } from '#/paths';

interface Props {
  /** A page without parameters. */
  page: PageKey;
  children: string;
}

/** Leads to a page, for users who may open it: the next step of a text that sends them there. */
export function PageButton({ page, children }: Props) {
  const may = useCan(spec(page).can);
  if (!may) return null;
  return (
    <Button variant="default" component={Link} to={pages[page].path}>
      {children}
    </Button>
  );
}
