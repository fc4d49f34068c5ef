/** `npm run pack:cli`: packs the command line into one tarball, in the root or in the folder of `--pack-destination`. */
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packCommandLine } from '../tools/release/pack.ts';
import { scriptOptions } from '../tools/script-options.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values } = scriptOptions('npm run pack:cli [-- --pack-destination <folder>]', {
  options: { 'pack-destination': { type: 'string', default: ROOT } },
});
const tarball = await packCommandLine(ROOT, resolve(values['pack-destination']));
console.log(relative(process.cwd(), tarball));
