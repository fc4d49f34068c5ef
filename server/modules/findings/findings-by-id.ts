/**
 * The tenant's findings with the given ids, in place of the table `findings` in a statement. `OFFSET 0` makes Postgres look
 * up each finding by its id before it applies other conditions. Without statistics, it might choose any other index.
 * @param ids the parameter that holds the ids, such as `$5`; `$1` is the tenant
 */
export const findingsById = (ids: string) => `(
  SELECT f.* FROM unnest(${ids}::uuid[]) AS wanted(id)
  CROSS JOIN LATERAL (SELECT * FROM findings f WHERE f.tenant_id = $1 AND f.id = wanted.id OFFSET 0) f
) AS findings`;
