// npm run cspm -- <command>: builds if necessary, then runs the command line.
import { buildCommandLine } from './build.mjs';

await buildCommandLine();
await import('../cli/dist/cspm.mjs');
