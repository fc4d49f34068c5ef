// npm run cspm -- <command>: builds if necessary, then runs the command line.
import './node-version.mjs';
import { buildCommandLine } from './build.mjs';

await buildCommandLine();
// npm runs this script in the root; paths are relative to the folder of the caller, as everywhere.
const {
  npm_package_name: name,
  npm_lifecycle_event: script,
  INIT_CWD: callersFolder,
} = process.env;
if (name === 'cspm' && script === 'cspm' && callersFolder) process.chdir(callersFolder);
await import('../cli/dist/cspm.mjs');
