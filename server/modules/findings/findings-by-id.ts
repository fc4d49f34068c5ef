/**
 * Findings of the tenant with some ids, in place of the table `findings`. `OFFSET 0` makes Postgres look each up by its id
 * before it compares anything else: without statistics it expects one finding from any index.
 * @param ids the parameter with them, such as `$5`. The tenant is `$1`
 */
export const findingsById = (ids: string) => `(
  SELECT f.* FROM unnest(${ids}::uuid[]) AS wanted(id)
  CROSS JOIN LATERAL (SELECT * FROM findings f WHERE f.tenant_id = $1 AND f.id = wanted.id OFFSET 0) f
) AS findings`;
