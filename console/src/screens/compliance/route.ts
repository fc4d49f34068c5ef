import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { FRAMEWORKS } from '../../parts/frameworks.ts';
import { appRoute } from '../../root-route.tsx';
import { ALL_PROJECTS, type ComplianceSearch, STATUSES } from './search.ts';

function scanParam(value: unknown): string | undefined {
  if (value === ALL_PROJECTS) return value;
  return typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? value : undefined;
}

export const complianceRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/compliance',
  validateSearch: (raw: Record<string, unknown>): ComplianceSearch => ({
    framework: FRAMEWORKS.find((one) => one === raw['framework']),
    scan: scanParam(raw['scan']),
    status: STATUSES.find((one) => one === raw['status']),
  }),
  component: lazyRouteComponent(() => import('./CompliancePage.tsx'), 'CompliancePage'),
});
