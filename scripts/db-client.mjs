// npm run db:client: generates the Prisma client from prisma/schema.prisma, with the schema engine that npm installed.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const packageJson = createRequire(import.meta.url).resolve('prisma/package.json');
const cli = join(dirname(packageJson), 'build/index.js');
const env = { ...process.env, SCHEMA_ENGINE: 'wasm', CHECKPOINT_DISABLE: '1' };
const { status } = spawnSync(process.execPath, [cli, 'generate'], { env, stdio: 'inherit' });
process.exitCode = status ?? 1;
