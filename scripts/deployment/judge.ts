import { composeSyntaxFaults } from './compose.ts';
import { deploymentOf } from './deployment.ts';
import { environmentFaults } from './environment-rules.ts';
import type { DeploymentFiles } from './files.ts';
import { imageSyntaxFaults } from './image.ts';
import { manifestSyntaxFaults } from './manifests.ts';
import { parseFaults } from './parse-faults.ts';
import { portFaults } from './port-rules.ts';
import { safetyFaults } from './safety-rules.ts';

/**
 * What is wrong with how the service is deployed, each with its file and the remedy: first with each file by itself, and
 * where nothing is, with what the files say of each other and of the server.
 */
export async function judge(files: DeploymentFiles): Promise<string[]> {
  const malformed = await malformations(files);
  return malformed.length > 0 ? malformed : disagreements(files);
}

/** Of each file by itself, as its own schema has it. */
async function malformations(files: DeploymentFiles): Promise<string[]> {
  const unreadable = parseFaults(files);
  if (unreadable.length > 0) return unreadable;
  return [
    ...imageSyntaxFaults(files),
    ...(await composeSyntaxFaults(files)),
    ...manifestSyntaxFaults(files),
  ];
}

/** Of files that are well formed. */
export function disagreements(files: DeploymentFiles): string[] {
  const deployment = deploymentOf(files);
  return [...environmentFaults(deployment), ...portFaults(deployment), ...safetyFaults(deployment)];
}
