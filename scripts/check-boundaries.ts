// Part of npm run check: enforces .dependency-cruiser.mjs, and finds cycles between rooms.
import { fileURLToPath } from 'node:url';
import { findViolations } from '../tools/boundaries/boundaries.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = [
  ...['contract', 'scanner', 'google-cloud', 'server', 'sdk', 'cli', 'console'],
  ...['scripts', 'tools', 'tests', 'samples'],
];

const { violations, cycles, files } = await findViolations(ROOT, FOLDERS, `${ROOT}tsconfig.json`);
for (const { rule, from, to } of violations) console.error(`${rule}: ${from} imports ${to}`);
for (const cycle of cycles) console.error(cycle);
if (violations.length + cycles.length > 0) {
  console.error(
    'The rules and their reasons are in .dependency-cruiser.mjs and tools/boundaries/rooms.ts.',
  );
  process.exit(1);
}
console.log(`${files} files keep the boundaries.`);
