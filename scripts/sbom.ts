// npm run sbom [-- <file>]: writes the packages of the image as a CycloneDX document, by default beside the tarballs of
// a release. --node names the version of Node in the image; default: the one that runs this.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPackages, missingFrom, sbomOf } from '../tools/sbom/sbom.ts';
import { scriptOptions } from '../tools/script-options.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = scriptOptions('npm run sbom [-- <file> --node 24.0.0]', {
  allowPositionals: true,
  options: { node: { type: 'string', default: process.versions.node } },
});
const file = resolve(ROOT, positionals[0] ?? 'dist/release/cspm.cdx.json');

const sbom = await sbomOf(ROOT, values.node);
const missing = missingFrom(sbom, await bundledPackages(ROOT));
if (missing.length > 0) throw new Error(`The SBOM lacks ${missing.join(', ')}.`);
await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`${file}: ${sbom.components.length} components, with Node ${values.node}.`);
