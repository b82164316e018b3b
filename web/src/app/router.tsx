import {
  createBrowserRouter,
  Outlet,
  type RouteObject,
  redirect,
  ScrollRestoration,
} from 'react-router';
import { outside, type PageKey, pages, spec } from '#/paths';
import { LoadingOverlay } from '#/ui/LoadingOverlay';
import { RouteCrash } from './Crash';
import { Guard } from './guard';
import { Apply } from './outside/Apply';
import { Landing } from './outside/Landing';
import { Login } from './outside/Login';
import { ModeSelect } from './outside/ModeSelect';
import { modules } from './routes';
import { Shell } from './shell/Shell';

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

export const signedOutRoutes: RouteObject[] = root([
  { path: outside.home, element: <Landing /> },
  { path: outside.login, element: <Login /> },
  { path: outside.apply, element: <Apply /> },
  { path: '*', loader: home },
]);

function page(key: PageKey, load: (typeof modules)[keyof typeof modules]): RouteObject {
  return {
    path: pages[key].path,
    errorElement: <RouteCrash />,
    lazy: async () => {
      const Page = (await load()).default;
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
  { path: outside.home, element: <ModeSelect /> },
  {
    element: <Shell />,
    children: Object.entries(modules).map(([key, load]) => page(key as PageKey, load)),
  },
  // Signing in ends here, and so does every address that is no page.
  { path: '*', loader: home },
]);

export const signedOutRouter = () => createBrowserRouter(signedOutRoutes);
export const signedInRouter = () => createBrowserRouter(signedInRoutes);
