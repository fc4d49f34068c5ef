// npm run admin -- <command>: builds if necessary, then runs an operator command.
import './node-version.mjs';
import { buildServer } from './build.mjs';

await buildServer();
await import('../dist/server/admin.mjs');
