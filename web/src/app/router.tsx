import type { ComponentType } from 'react';
import {
  createBrowserRouter,
  matchRoutes,
  type NonIndexRouteObject,
  Outlet,
  type RouteObject,
  redirect,
  ScrollRestoration,
} from 'react-router';
import { outside, type PageKey, pages, spec } from '#/paths';
import { LoadingOverlay } from '#/ui/LoadingOverlay';
import { RouteCrash } from './Crash';
import { Guard } from './guard';
import { NeedsConnection } from './NeedsConnection';
import { type Load, modules, ways } from './routes';

const home = () => redirect(outside.home);

function root(children: RouteObject[]): RouteObject[] {
  return [
    {
      element: (
        <>
          <Outlet />
          <ScrollRestoration />
        </>
      ),
      errorElement: <RouteCrash />,
      hydrateFallbackElement: <LoadingOverlay />,
      children,
    },
  ];
}

/**
 * The code of a screen. Code that cannot be fetched is a screen, too: the router shows nothing at all for a
 * first address whose code is missing.
 */
async function fetched(load: Load): Promise<ComponentType> {
  try {
    // Nothing comes where the page is being loaded anew for a new version.
    return ((await load()) as Awaited<ReturnType<Load>> | undefined)?.default ?? LoadingOverlay;
  } catch (error) {
    if (error instanceof TypeError) return NeedsConnection;
    throw error;
  }
}

/** A screen that stands alone. */
function screen(path: string | undefined, load: Load, permission?: string): NonIndexRouteObject {
  return {
    path,
    errorElement: <RouteCrash />,
    lazy: async () => {
      const Screen = await fetched(load);
      return {
        element: permission ? (
          <Guard permission={permission}>
            <Screen />
          </Guard>
        ) : (
          <Screen />
        ),
      };
    },
  };
}

export const signedOutRoutes: RouteObject[] = root([
  screen(outside.home, ways.landing),
  screen(outside.login, ways.login),
  screen(outside.apply, ways.apply),
  screen(outside.resetPassword, ways.resetPassword),
  screen(outside.firstStart, ways.firstStart),
  { path: '*', loader: home },
]);

/** An app with addresses of its own, of which only the first is known yet. */
function app(path: string, load: Load, permission: string): RouteObject[] {
  return [screen(path, load, permission), { path: `${path}/*`, loader: () => redirect(path) }];
}

function page(key: PageKey, load: Load): RouteObject {
  return {
    path: pages[key].path,
    errorElement: <RouteCrash />,
    lazy: async () => {
      const Page = await fetched(load);
      return {
        element: (
          <Guard permission={spec(key).can}>
            <Page />
          </Guard>
        ),
      };
    },
  };
}

export const signedInRoutes: RouteObject[] = root([
  screen(outside.home, ways.modeSelect),
  // A letter's link works for whoever is signed in here, too.
  screen(outside.resetPassword, ways.resetPassword),
  ...app(outside.branchOps, ways.branchOps, 'apps/branchOps'),
  ...app(outside.storeCount, ways.storeCount, 'apps/storeCount'),
  {
    ...screen(undefined, ways.shell),
    children: Object.entries(modules).map(([key, load]) => page(key as PageKey, load)),
  },
  // Signing in ends here, and so does every address that is no page.
  { path: '*', loader: home },
]);

export const signedOutRouter = () => createBrowserRouter(signedOutRoutes);
export const signedInRouter = () => createBrowserRouter(signedInRoutes);

/** Fetches the code of the address at hand while the server is still asked who is here. */
export function fetchAhead(pathname: string): void {
  if (pathname === outside.login) void ways.login().catch(() => {});
  for (const { route } of matchRoutes(signedInRoutes, pathname) ?? []) {
    if (typeof route.lazy === 'function') void route.lazy().catch(() => {});
  }
}
