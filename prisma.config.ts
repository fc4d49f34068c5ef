import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

/**
 * For developers only: `prisma generate`, `migrate diff` and similar commands. The server migrates without the Prisma CLI
 * (server/platform/database/migrate.ts) and never reads this file.
 *
 * Prisma downloads its schema engine when a command first needs it. SCHEMA_ENGINE=wasm uses the engine that npm installed
 * instead, for networks that reach only an npm registry: `SCHEMA_ENGINE=wasm npx prisma migrate status`. The commands
 * in package.json set it themselves.
 */
const engine = process.env['SCHEMA_ENGINE'];
if (engine === 'wasm') {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= fileURLToPath(
    new URL('scripts/schema-engine.mjs', import.meta.url),
  );
} else if (engine) {
  throw new Error(`SCHEMA_ENGINE is "${engine}". Set it to "wasm", or leave it out.`);
}

const url = process.env['DATABASE_URL'];

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // `prisma generate` and `prisma validate` work without a database.
  ...(url ? { datasource: { url } } : {}),
});
