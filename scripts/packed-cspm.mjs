// What `cspm` of the published package runs: an older Node fails on an import of the program, with no hint of the cause.
import { tooOldNode } from './too-old-node.mjs';

const message = tooOldNode();
if (message !== null) {
  console.error(message);
  // Wrong usage. After the 1 of an uncaught error, a pipeline would report findings.
  process.exit(2);
}
// The bundle of the command line lies beside the bundle of this file.
const program = new URL('main.mjs', import.meta.url);
await import(program.href);
