import { likePattern } from '../../server/modules/findings/like-pattern.ts';
import type { TestDatabase } from './database.ts';
import { rowsOf } from './owner-queries.ts';

/**
 * Inserts pattern mutes into a tenant, without the limit of the API.
 * @param ruleId a rule for all mutes, which then have different names. Default: any rule and project.
 * @param pattern returns the pattern of the mute with that number.
 */
export async function plantMutes(
  database: TestDatabase,
  tenantId: string,
  count: number,
  ruleId: string | null = null,
  pattern = (number: number) => `*planted-${number}-*`,
): Promise<void> {
  const patterns = Array.from({ length: count }, (_, number) => pattern(number));
  await rowsOf(
    database,
    tenantId,
    `INSERT INTO mutes (tenant_id, id, rule_id, asset, asset_pattern, lookup, reason, expires_at, created_at)
     SELECT $1, gen_random_uuid(), rule, g.glob, g.pattern, COALESCE('rule:' || rule, 'any'), 'planted',
            now() + interval '30 days', now()
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS g(glob, pattern, number)
     CROSS JOIN LATERAL (SELECT $4::text || '-' || g.number AS rule) r`,
    [tenantId, patterns, patterns.map(likePattern), ruleId],
  );
}
