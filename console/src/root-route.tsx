import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { lazyPart } from './lib/lazy-part.tsx';
import { loadQueries } from './load-queries.ts';
import { sessionState } from './session.ts';
import { Overlays } from './shell/Overlays.tsx';
import { SlowStart } from './shell/SlowStart.tsx';

const NotFoundPage = lazyPart(async () => (await import('./shell/NotFoundPage.tsx')).NotFoundPage);

/** Stands in for a screen that failed. The shell loads its code too, so that it is there when the server is not. */
export const ScreenFailure = lazyPart(
  async () => (await import('./shell/ScreenFailure.tsx')).ScreenFailure,
);

/** The root of all screens. */
export const rootRoute = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Overlays />
    </>
  ),
  notFoundComponent: NotFoundPage,
});

/** Most first calls take less; a message that appears for a moment would distract. */
const SLOW_START_MS = 3_000;

/** The parent of screens that need a session. They are shown inside the shell, with the identity loaded. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: async ({ location }) => {
    if (sessionState.get() === 'signed-out') {
      throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true });
    }
    try {
      const { identityQuery, queryClient } = await loadQueries();
      await queryClient.ensureQueryData(identityQuery);
    } catch (error) {
      if (sessionState.get() === 'signed-in') throw error;
      throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true });
    }
  },
  component: lazyRouteComponent(() => import('./shell/Shell.tsx'), 'Shell'),
  pendingComponent: SlowStart,
  pendingMs: SLOW_START_MS,
  errorComponent: ScreenFailure,
});
