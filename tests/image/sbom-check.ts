import { bundledPackages, missingFrom, sbomOf } from '../../tools/sbom/sbom.ts';
import { IMAGE } from './build.ts';
import { check, demand } from './checks.ts';
import type { Docker } from './docker.ts';

/** Compares the SBOM with what the build bundles and with Node in the image. */
export async function checkSbom(docker: Docker, root: string): Promise<void> {
  await check('the SBOM names every package of the image', async () => {
    const version = await docker.run(
      'run',
      '--rm',
      IMAGE,
      'node',
      '--print',
      'process.versions.node',
    );
    const sbom = await sbomOf(root, version);
    const bundled = await bundledPackages(root);
    const missing = missingFrom(sbom, bundled);
    demand(missing.length === 0, `it names ${missing}`);
    return `${sbom.components.length} components, Node ${version}`;
  });
}
