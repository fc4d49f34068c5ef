import { type Compose, composeOf, composeProcesses } from './compose.ts';
import type { DeploymentFiles } from './files.ts';
import { type Image, imageOf } from './image.ts';
import { type Manifests, manifestProcesses, manifestsOf } from './manifests.ts';
import type { DeployedProcess } from './process.ts';
import { proxyOf, type ReverseProxy } from './proxy.ts';

/** What the files say, taken together. */
export interface Deployment {
  readonly files: DeploymentFiles;
  readonly image: Image;
  readonly compose: Compose;
  readonly proxy: ReverseProxy;
  readonly manifests: Manifests;
  readonly processes: {
    readonly compose: readonly DeployedProcess[];
    readonly manifests: readonly DeployedProcess[];
  };
}

/** Of files whose syntax is in order. */
export function deploymentOf(files: DeploymentFiles): Deployment {
  const image = imageOf(files);
  const compose = composeOf(files);
  const manifests = manifestsOf(files);
  return {
    files,
    image,
    compose,
    proxy: proxyOf(files),
    manifests,
    processes: {
      compose: composeProcesses(compose, image),
      manifests: manifestProcesses(manifests, image),
    },
  };
}
