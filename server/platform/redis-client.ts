// Loaded with `import()`. The bundle gives a CommonJS package that is itself loaded that way no named exports.
export { createClient, createCluster, createSentinel } from 'redis';
