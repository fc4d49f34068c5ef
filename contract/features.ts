/** Features that a tenant can be licensed for. A new tenant has none. */
export const FEATURES = ['sso', 'custom_rules', 'audit_export'] as const;

export type Feature = (typeof FEATURES)[number];
