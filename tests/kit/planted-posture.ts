/*
 * Posture as scans of many projects on every day would have left it, in two statements: for plans and measurements.
 */

/** Projects of a tenant ($1), so many ($2), each with a row for every day from one ($3) on, so many ($4). */
export const PLANT_POSTURE = `
  WITH planted AS (
    INSERT INTO projects (tenant_id, id, name, created_at)
    SELECT $1::uuid, gen_random_uuid(), 'planted-' || n, now() FROM generate_series(1, $2::int) AS n
    RETURNING id
  )
  INSERT INTO posture_days
  SELECT $1::uuid, planted.id, $3::date + n, gen_random_uuid(), now(), 0, 2, 30, 12, 1, 900, 1000, 1200, 20, 1, 1,
         0, 0, 1, 0, 0, 0, 0, 86400, 0, 0
  FROM planted CROSS JOIN generate_series(0, $4::int - 1) AS n`;

/** The totals of a tenant ($1) all of whose projects have a row on every day. */
export const PLANT_TOTALS = `
  INSERT INTO posture_totals
  SELECT tenant_id, day, count(*), sum(critical), sum(high), sum(medium), sum(low), sum(info), sum(passed_weight),
         sum(decided_weight), sum(decided), sum(unknown), sum(opened), sum(resolved),
         sum(resolved_critical), sum(resolved_high), sum(resolved_medium), sum(resolved_low), sum(resolved_info),
         sum(resolve_seconds_critical), sum(resolve_seconds_high), sum(resolve_seconds_medium),
         sum(resolve_seconds_low), sum(resolve_seconds_info)
  FROM posture_days WHERE tenant_id = $1 GROUP BY tenant_id, day`;
