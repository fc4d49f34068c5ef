import { type Compose, composeOf, composeProcesses } from './compose.ts';
import type { DeploymentFiles } from './files.ts';
import { type Image, imageOf } from './image.ts';
import { type Manifests, manifestProcesses, manifestsOf } from './manifests.ts';
import type { DeployedProcess } from './process.ts';

/** The combined contents of the files. */
export interface Deployment {
  readonly files: DeploymentFiles;
  readonly image: Image;
  readonly compose: Compose;
  readonly manifests: Manifests;
  readonly processes: {
    readonly compose: readonly DeployedProcess[];
    readonly manifests: readonly DeployedProcess[];
  };
}

export function deploymentOf(files: DeploymentFiles): Deployment {
  const image = imageOf(files);
  const compose = composeOf(files);
  const manifests = manifestsOf(files);
  return {
    files,
    image,
    compose,
    manifests,
    processes: {
      compose: composeProcesses(compose, image),
      manifests: manifestProcesses(manifests, image),
    },
  };
}
