import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textParam } from '../../lib/search-params.ts';
import { rootRoute } from '../../root-route.tsx';

interface SignInSearch {
  /** The page to open after the sign-in: a path of the console with its query. */
  readonly next?: string | undefined;
  /** The tenant to sign in to. */
  readonly tenant?: string | undefined;
  readonly email?: string | undefined;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): SignInSearch => ({
    next: textParam(raw['next']),
    tenant: textParam(raw['tenant']),
    email: textParam(raw['email']),
  }),
  component: lazyRouteComponent(() => import('./SignInPage.tsx'), 'SignInPage'),
});
