// npm run bench [-- import|scan|scan-cost|api|login|webhooks|growth …] [--assets N] [--rounds N] [--postgres installed] [--server-flags "--cpu-prof …"]
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { contest } from './api/contest.mjs';
import { entrantsNamed } from './api/entrants.mjs';
import { requestsNamed } from './api/requests.mjs';
import { verdicts } from './api/verdict.mjs';
import { importRace } from './cold-import.mjs';
import { growthRace } from './growth.mjs';
import { loginRace } from './login.mjs';
import { table } from './report.mjs';
import { closeOnSignal, openRig } from './rig.mjs';
import { scanRace } from './scan.mjs';
import { scanCost } from './scan-cost.mjs';
import { webhookRace } from './webhooks.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    assets: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    postgres: { type: 'string', default: 'embedded' },
    'server-flags': { type: 'string', default: '' },
  },
});
const scale = { assets: wholeFrom('assets'), rounds: wholeFrom('rounds') };

const PARTS = {
  import: () => importRace(say),
  scan: (rig) => scanRace(rig, scale, say),
  'scan-cost': (rig) => scanCost(rig, scale, say),
  api: (rig) => floorRace(rig),
  login: (rig) => loginRace(rig, say),
  webhooks: (rig) => webhookRace(rig, scale, say),
  growth: (rig) => growthRace(rig, scale, say),
};
/** Runs only when it is named: with a million assets it takes long. */
const ON_REQUEST = ['growth'];
const unknown = positionals.find((part) => !Object.hasOwn(PARTS, part));
if (unknown !== undefined) {
  console.error(
    `There is no part ${unknown}: import, scan, scan-cost, api, login, webhooks, growth, or none for all but growth.`,
  );
  process.exit(1);
}

const serverFlags = values['server-flags'].split(' ').filter((flag) => flag !== '');
const installed = values.postgres === 'installed';
if (!installed && values.postgres !== 'embedded') {
  console.error('--postgres wants embedded or installed.');
  process.exit(1);
}
const rig = await openRig({ serverFlags, say, installed });
closeOnSignal(rig);
try {
  const rows = [];
  for (const part of Object.keys(PARTS)) {
    const isNamed = positionals.includes(part);
    if (positionals.length > 0 ? !isNamed : ON_REQUEST.includes(part)) continue;
    say(`${part} …`);
    rows.push(...(await PARTS[part](rig)));
  }
  const load = loadavg()[0]?.toFixed(1);
  console.log(`\nNode ${process.version}, ${availableParallelism()} cores, load ${load}\n`);
  console.log(table(rows));
} finally {
  await rig.close();
}

/** The API against the baseline only; `npm run bench:api` races it against all others. */
async function floorRace(rig) {
  const entrants = entrantsNamed(['floor']);
  const options = { requests: requestsNamed([]), connections: [16], rounds: 5, seconds: 2.5 };
  return verdicts(await contest(rig, entrants, options, say), entrants);
}

/** Progress messages, separate from the table. */
function say(line) {
  console.error(line);
}

function wholeFrom(name) {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number > 0) return number;
  console.error(`--${name} wants a whole number above 0.`);
  process.exit(1);
}
