// Imported first by the commands that people start: an older Node fails on the syntax of the code, with no hint of the cause.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Node ${process.versions.node} is too old: Node 20.19 or later is required, and 24 is recommended (https://nodejs.org).`,
  );
  process.exit(1);
}
