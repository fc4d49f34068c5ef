import { RULES, type Severity } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { type AssetPlace, findLastVerdicts, type PackedVerdict } from '../scans/index.ts';

const BUILT_IN = new Map(RULES.map((rule) => [rule.id, rule]));

/** The last completed scan of a project, and what it decided about an asset; null if missing. */
export async function verdictsOf(db: TenantConnection, projectId: string, asset: AssetPlace) {
  const last = await findLastVerdicts(db, projectId, asset);
  if (last === null) return { scan: null, verdicts: null };
  const scan = { id: last.scanId, createdAt: last.createdAt.toISOString() };
  if (last.verdicts === null) return { scan, verdicts: null };
  const custom = await customRules(db, last.scanId, last.verdicts);
  const verdicts = last.verdicts
    .map(({ ruleId, verdict, missing }) => {
      const rule = BUILT_IN.get(ruleId) ?? custom.get(ruleId);
      const severity = (rule?.severity ?? null) as Severity | null;
      return { ruleId, title: rule?.title ?? ruleId, severity, verdict, missing };
    })
    .toSorted((a, b) => (a.ruleId < b.ruleId ? -1 : 1));
  return { scan, verdicts };
}

interface CustomRow {
  id: string;
  title: string | null;
  severity: string | null;
}

async function customRules(
  db: TenantConnection,
  scanId: string,
  verdicts: readonly PackedVerdict[],
): Promise<
  ReadonlyMap<string, { readonly title: string | null; readonly severity: string | null }>
> {
  const ids = verdicts.map(({ ruleId }) => ruleId).filter((id) => !BUILT_IN.has(id));
  if (ids.length === 0) return new Map();
  const rows = await db.sql<CustomRow>(CUSTOM_RULES, [db.tenantId, scanId, ids]);
  return new Map(rows.map(({ id, ...rule }) => [id, rule]));
}

/** Hand-written: of the rules of the scan, which may be many, only the asked ones leave Postgres. */
const CUSTOM_RULES: Statement = {
  name: 'assets-custom-rules',
  reason: 'set',
  text: `SELECT rule ->> 'id' AS id, rule -> 'definition' ->> 'title' AS title,
                rule -> 'definition' ->> 'severity' AS severity
         FROM scans s
         JOIN rulesets r ON r.tenant_id = $1 AND r.digest = s.profile_digest
         CROSS JOIN jsonb_array_elements(r.rules) AS rule
         WHERE s.tenant_id = $1 AND s.id = $2 AND rule ->> 'id' = ANY ($3)`,
};
