/**
 * Syntax that Node 14 reads, because older versions evaluate this module.
 * @returns what to print on a version of Node that is not supported; null on one that is.
 */
export function tooOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < 20 || (major === 20 && minor < 19)
    ? `Node ${process.versions.node} is too old: Node 20.19 or later is required, and 24 is recommended (https://nodejs.org).`
    : null;
}
