/**
 * Holds what deploys the service (Dockerfile, compose.yaml, deploy/) against the schemas of those formats, against the
 * server's own configuration, and against each other. Part of `npm run check`; it starts nothing.
 */
import { fileURLToPath } from 'node:url';
import { readDeployment } from './deployment/files.ts';
import { judge } from './deployment/judge.ts';

const faults = await judge(await readDeployment(fileURLToPath(new URL('..', import.meta.url))));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
