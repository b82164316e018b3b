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
import { outsideShell, type PageKey, pages, spec } from '#/paths';
import { LoadingOverlay } from '#/ui/LoadingOverlay';
import { RouteCrash } from './Crash';
import { Guard } from './guard';
import { isMissingCode } from './missingCode';
import { NeedsConnection } from './NeedsConnection';
import { frameModules, type Load, pageModules } from './routes';

const home = () => redirect(outsideShell.home);

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
 * Loads the code of a screen. If it cannot be fetched, an error screen takes its place: the router renders
 * nothing at all when the code of the first address is missing.
 */
async function loadScreen(load: Load): Promise<ComponentType> {
  try {
    // Undefined when the page is being reloaded for a new version.
    return ((await load()) as Awaited<ReturnType<Load>> | undefined)?.default ?? LoadingOverlay;
  } catch (error) {
    if (isMissingCode(error)) return NeedsConnection;
    throw error;
  }
}

/** A screen without the shell. With a permission it is an app for phones, which works offline. */
function screen(path: string | undefined, load: Load, permission?: string): NonIndexRouteObject {
  return {
    path,
    errorElement: <RouteCrash />,
    lazy: async () => {
      const Screen = await loadScreen(load);
      return {
        element: permission ? (
          <Guard permission={permission} offline>
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
  screen(outsideShell.home, frameModules.landing),
  screen(outsideShell.login, frameModules.login),
  screen(outsideShell.apply, frameModules.apply),
  screen(outsideShell.resetPassword, frameModules.resetPassword),
  screen(outsideShell.firstStart, frameModules.firstStart),
  { path: '*', loader: home },
]);

/** An app of its own with one page. */
function app(path: string, load: Load, permission: string): RouteObject[] {
  return [screen(path, load, permission), { path: `${path}/*`, loader: () => redirect(path) }];
}

function page(key: PageKey, load: Load): RouteObject {
  const { can, offline } = spec(key);
  return {
    path: pages[key].path,
    errorElement: <RouteCrash />,
    lazy: async () => {
      const Page = await loadScreen(load);
      return {
        element: (
          <Guard permission={can} offline={offline}>
            <Page />
          </Guard>
        ),
      };
    },
  };
}

export const signedInRoutes: RouteObject[] = root([
  screen(outsideShell.home, frameModules.modeSelect),
  // The link of a reset email also works while a user is signed in.
  screen(outsideShell.resetPassword, frameModules.resetPassword),
  // Its screens are routes of its own.
  screen(`${outsideShell.branchOps}/*`, frameModules.branchOps, 'apps/branchOps'),
  ...app(outsideShell.storeCount, frameModules.storeCount, 'apps/storeCount'),
  {
    ...screen(undefined, frameModules.shell),
    children: Object.entries(pageModules).map(([key, load]) => page(key as PageKey, load)),
  },
  // The address after signing in, and the fallback for unknown addresses.
  { path: '*', loader: home },
]);

export const signedOutRouter = () => createBrowserRouter(signedOutRoutes);
export const signedInRouter = () => createBrowserRouter(signedInRoutes);

/** Starts loading the code of an address while the session is still being checked. */
export function prefetchRoute(pathname: string): void {
  if (pathname === outsideShell.login) void frameModules.login().catch(() => {});
  for (const { route } of matchRoutes(signedInRoutes, pathname) ?? []) {
    if (typeof route.lazy === 'function') void route.lazy().catch(() => {});
  }
}
