// Bundles the worker and runs the exercise in the Workers runtime.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { build } from 'esbuild';

await build({
  entryPoints: ['worker.mjs'],
  outfile: 'worker.js',
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: [],
  conditions: ['worker', 'browser'],
});

// The runtime writes a line of JSON to this file when it listens.
const runtime = spawn(
  'node_modules/@cloudflare/workerd-linux-64/bin/workerd',
  ['serve', 'config.capnp', '--control-fd=3'],
  {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  },
);
const [line] = await once(runtime.stdio[3], 'data');
const { port } = JSON.parse(line.toString().split('\n')[0]);
const response = await fetch(`http://127.0.0.1:${port}/`);
console.log(await response.text());
runtime.kill();
