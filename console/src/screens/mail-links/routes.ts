import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchText } from '../../lib/search-text.ts';
import { rootRoute } from '../../root-route.tsx';

interface TokenSearch {
  /** The token of the link in the mail. */
  readonly token?: string | undefined;
}

// A token of digits alone would be parsed as a number.
const validateSearch = (raw: Record<string, unknown>): TokenSearch => ({
  token: searchText(raw['token']),
});

export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email',
  validateSearch,
  component: lazyRouteComponent(() => import('./VerifyEmailPage.tsx'), 'VerifyEmailPage'),
});

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  validateSearch,
  component: lazyRouteComponent(() => import('./ResetPasswordPage.tsx'), 'ResetPasswordPage'),
});

export const acceptInviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accept-invite',
  validateSearch,
  component: lazyRouteComponent(() => import('./AcceptInvitePage.tsx'), 'AcceptInvitePage'),
});

export const forgottenPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgotten-password',
  validateSearch: (raw: Record<string, unknown>): { readonly email?: string | undefined } => ({
    email: searchText(raw['email']),
  }),
  component: lazyRouteComponent(
    () => import('./ForgottenPasswordPage.tsx'),
    'ForgottenPasswordPage',
  ),
});
