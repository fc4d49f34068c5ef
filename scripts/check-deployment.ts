/**
 * Compares the deployment files (Dockerfile, compose.yaml, deploy/) with the server: variables, programs, grace
 * periods, memory. Part of `npm run check`; it starts nothing.
 */
import { fileURLToPath } from 'node:url';
import { deploymentFaults } from '../tools/deployment/faults.ts';
import { readDeployment } from '../tools/deployment/files.ts';

const faults = deploymentFaults(
  await readDeployment(fileURLToPath(new URL('..', import.meta.url))),
);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
