// npm start: builds what is stale, then serves.
import { buildServer } from './build.mjs';

await buildServer();
await import('../dist/server/main.mjs');
