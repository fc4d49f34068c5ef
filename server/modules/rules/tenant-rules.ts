import { type ProfileRule, RULES } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { settingsFrom } from '../tenants/index.ts';
import { type CustomRuleRow, listCustomRules } from './custom-rule-queries.ts';

/** A tenant's rules and rule settings. */
export interface TenantRules {
  /** Custom rules ordered by id; empty while the tenant has no license for them. */
  readonly custom: readonly CustomRuleRow[];
  /** E-mail domains that members may have, as set by the tenant's administrators. */
  readonly allowedDomains: readonly string[];
}

export async function findTenantRules(db: TenantConnection): Promise<TenantRules> {
  const [tenant] = await db.sql<TenantRow>(TENANT);
  const licensed = tenant?.features.includes('custom_rules') === true;
  return {
    custom: licensed ? (await listCustomRules(db)).filter(({ id }) => !BUILT_IN.has(id)) : [],
    allowedDomains: settingsFrom(tenant?.settings).allowedDomains,
  };
}

/** The rules that profiles can select: the built-in ones and these. */
export function choiceWith(custom: readonly CustomRuleRow[]): readonly ProfileRule[] {
  return [
    ...RULES,
    ...custom.map(({ id, version, severity }) => ({
      id,
      version,
      severity,
      category: 'custom',
      compliance: [],
      parameters: {},
    })),
  ];
}

/** If a later release adds a built-in rule with the id of a custom rule, the built-in rule takes precedence. */
const BUILT_IN: ReadonlySet<string> = new Set(RULES.map(({ id }) => id));

interface TenantRow {
  features: string[];
  settings: unknown;
}

const TENANT: Statement = {
  name: 'tenant-rules',
  reason: 'function',
  text: 'SELECT t.features, t.settings FROM identity.this_tenant() t',
};
