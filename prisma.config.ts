import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

/**
 * For developers alone: `prisma generate`, `migrate dev`, `migrate diff` and the like. A serving
 * process migrates without the Prisma CLI (server/database/migrate.ts) and never reads this.
 */

// The native schema engine is downloaded at its first use, which a closed network forbids. Ours does
// the same work from npm alone; whoever has the native one sets the variable to it.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= fileURLToPath(
  new URL('scripts/schema-engine.mjs', import.meta.url),
);

const url = process.env['DATABASE_URL'];

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // Without a database, `prisma generate` and `prisma validate` do their work all the same.
  ...(url ? { datasource: { url } } : {}),
});
