/**
 * Possible migrations of a later release: a column in every table, so every statement of the running version has to be
 * replanned; a table with row-level security; an overloaded function; an index.
 * @param tables all of them, with their schemas
 */
export function laterMigrations(tables: readonly string[]): Record<string, string> {
  const columns = tables
    .map(
      (table, index) =>
        `ALTER TABLE ${table} ADD COLUMN of_later ${index % 2 === 0 ? 'text' : "text NOT NULL DEFAULT 'later'"};`,
    )
    .join('\n');
  return {
    '99990101000000_columns': columns,
    '99990101000001_notes': `
      CREATE TABLE notes (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        finding_id uuid NOT NULL,
        text text NOT NULL,
        PRIMARY KEY (tenant_id, id),
        FOREIGN KEY (tenant_id, finding_id) REFERENCES findings (tenant_id, id) ON DELETE CASCADE
      );
      ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
      ALTER TABLE notes FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant_isolation ON notes FOR ALL
        USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
        WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);`,
    '99990101000002_functions': `
      CREATE FUNCTION jobs.enqueue(task text, payload json, queue text, once_key text, marks text[], priority int)
      RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
      AS $$ SELECT jobs.enqueue(task, payload, queue, once_key, marks) $$;`,
    '99990101000003_index':
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS findings_of_later ON findings (tenant_id, of_later);',
    '99990101000004_check':
      'ALTER TABLE findings ADD CONSTRAINT of_later CHECK (of_later IS DISTINCT FROM $$$$) NOT VALID;',
    '99990101000005_validated': 'ALTER TABLE findings VALIDATE CONSTRAINT of_later;',
  };
}

/** Migrations that `npm run check:migrations` refuses, to prove that they would break the running version. */
export const BREAKING = {
  '99990102000000_renamed':
    'ALTER TABLE projects RENAME COLUMN description TO of_later_description;',
};
