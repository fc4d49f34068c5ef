// Imported first by the commands that people start: an older Node fails on the syntax of the code, with no hint of the cause.
import { tooOldNode } from './too-old-node.mjs';

const message = tooOldNode();
if (message !== null) {
  console.error(message);
  process.exit(1);
}
