import { matchRoutes } from 'react-router';
import { type BuiltKey, type PageKey, pages, spec } from '#/paths';

const routes = (Object.keys(pages) as PageKey[])
  .filter((key): key is BuiltKey => spec(key).built === true)
  .map((id) => ({ id, path: pages[id].path }));

/** The page of an address; null if none is built there. */
export function pageAt(pathname: string): BuiltKey | null {
  return (matchRoutes(routes, pathname)?.[0]?.route.id as BuiltKey | undefined) ?? null;
}
