// npm run admin -- <command>: builds what is stale, then does what an operator asks for.
import { buildServer } from './build.mjs';

await buildServer();
await import('../dist/server/admin.mjs');
