// The statements of our server, which the race writes beside this program when it is bundled.
import { readFileSync } from 'node:fs';

/** @type {import('../floor-statements.mjs').Statements} */
export const STATEMENTS = JSON.parse(
  readFileSync(new URL('floor-statements.json', import.meta.url), 'utf8'),
);
