import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchText } from '../../lib/search-text.ts';
import { rootRoute } from '../../root-route.tsx';

interface CallbackSearch {
  /** The code to exchange for a session. */
  readonly code?: string | undefined;
  /** The value that the sign-in page gave when it started the sign-in. */
  readonly state?: string | undefined;
  /** The page to open after the sign-in. */
  readonly returnTo?: string | undefined;
  /** The code of the problem if the sign-in was refused before it reached the console. */
  readonly error?: string | undefined;
  /** The request that was refused. */
  readonly correlationId?: string | undefined;
}

/** The form of the server's own ids: anything else comes from a link that somebody wrote. */
const CORRELATION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function correlationIdIn(value: unknown): string | undefined {
  return typeof value === 'string' && CORRELATION_ID.test(value) ? value : undefined;
}

export const callbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/callback',
  validateSearch: (raw: Record<string, unknown>): CallbackSearch => ({
    code: searchText(raw['code']),
    state: searchText(raw['state']),
    returnTo: searchText(raw['returnTo']),
    error: searchText(raw['error']),
    correlationId: correlationIdIn(raw['correlationId']),
  }),
  component: lazyRouteComponent(() => import('./CallbackPage.tsx'), 'CallbackPage'),
});
