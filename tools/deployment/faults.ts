import { deploymentOf } from './deployment.ts';
import { environmentFaults } from './environment-rules.ts';
import type { DeploymentFiles } from './files.ts';
import { memoryFaults } from './memory-rules.ts';
import { processFaults } from './process-rules.ts';

/**
 * The faults in the deployment files, each with its file and the remedy. It checks only what is specific to this
 * repository: variables, programs, grace periods and memory. Docker, Compose and Kubernetes check their own formats.
 */
export function deploymentFaults(files: DeploymentFiles): string[] {
  const deployment = deploymentOf(files);
  return [
    ...environmentFaults(deployment),
    ...processFaults(deployment),
    ...memoryFaults(deployment),
  ];
}
