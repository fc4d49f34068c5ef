import type { Config } from '../../server/config.ts';

export const TEST_MASTER_KEY = 'a-master-key-that-only-tests-know-of';
export const TEST_GLOBAL_KEY = 'a-global-key-that-only-tests-know-of';

/** The tenant of the global API key; a test that uses it creates the tenant. */
export const GLOBAL_KEY_TENANT_ID = '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27';

/** Enables the credentials that belong to no user. */
export const SHARED_CREDENTIALS = {
  breakGlass: { key: TEST_MASTER_KEY, ttlMinutes: 60 },
  globalApiKey: { key: TEST_GLOBAL_KEY, tenantId: GLOBAL_KEY_TENANT_ID },
} as const satisfies Partial<Config>;

export const globalKeyHeaders = { 'x-api-key': TEST_GLOBAL_KEY } as const;

/** Break-glass headers for a tenant, with a reason unless it is null. */
export function masterKeyHeaders(
  tenant: { readonly id: string },
  reason: string | null = 'an emergency',
): Record<string, string> {
  return {
    'x-master-key': TEST_MASTER_KEY,
    'x-tenant-id': tenant.id,
    ...(reason === null ? {} : { 'x-break-glass-reason': reason }),
  };
}
