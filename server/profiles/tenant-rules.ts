import { type ProfileRule, RULES } from '@cspm/scanner';
import { type CustomRuleRow, listCustomRules } from '../custom-rules/custom-rule-rows.ts';
import type { Row, Statement, TenantConnection } from '../database/tenant-database.ts';
import { settingsFrom } from '../identity/tenant-settings.ts';

/** What a tenant has beside the product's own rules. */
export interface TenantRules {
  /** Its own rules, in the order of their ids; none while it is not licensed for them. */
  readonly custom: readonly CustomRuleRow[];
  /** Domains that its members may come from, as its administrators have set them. */
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

/** What profiles choose from: the rules of the product, and these of the tenant. */
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

/** A later release may bring a rule under an id that a tenant has taken: the product's goes before. */
const BUILT_IN: ReadonlySet<string> = new Set(RULES.map(({ id }) => id));

interface TenantRow extends Row {
  features: string[];
  settings: unknown;
}

const TENANT: Statement = {
  name: 'tenant-rules',
  text: 'SELECT t.features, t.settings FROM identity.this_tenant() t',
};
