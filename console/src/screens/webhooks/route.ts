import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';

export const webhooksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./WebhooksPage.tsx'), 'WebhooksPage'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./WebhookPage.tsx'), 'WebhookPage'),
});
