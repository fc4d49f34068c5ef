// npm start: builds if necessary, then serves.
import './node-version.mjs';
import { buildServer } from './build.mjs';
import { buildConsole } from './build-console.mjs';

await buildServer();
await buildConsole((line) => console.log(line));
await import('../dist/server/main.mjs');
