// npm run bench:api [-- --only hono,floor] [--requests "GET /scans,GET /findings"] [--connections 16,64] [--rounds N] [--seconds N] [--write-docs | --check]
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { aligned, table } from '../report.mjs';
import { closeOnSignal, openRig } from '../rig.mjs';
import { contest } from './contest.mjs';
import { writeDocs } from './document.mjs';
import { entrantsNamed } from './entrants.mjs';
import { footprints as footprintsOf, footprintTable } from './footprint.mjs';
import { requestsNamed } from './requests.mjs';
import { measured, verdicts } from './verdict.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    requests: { type: 'string', default: '' },
    connections: { type: 'string', default: '1,16,64' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '2' },
    'server-flags': { type: 'string', default: '' },
    'write-docs': { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
if (values['write-docs'] && values.requests !== '') {
  console.error('--write-docs writes the results of all requests; leave out --requests.');
  process.exit(1);
}
const entrants = entrantsNamed(listOf(values.only));
const options = {
  // With --check, the servers only have to do the same work.
  requests: values.check ? [] : requestsNamed(listOf(values.requests)),
  connections: listOf(values.connections).map((given) => positive('connections', given)),
  rounds: positive('rounds', values.rounds),
  seconds: positive('seconds', values.seconds),
};

const loads = [load()];
const serverFlags = values['server-flags'].split(' ').filter((flag) => flag !== '');
const rig = await openRig({ serverFlags, say });
closeOnSignal(rig);
try {
  const heats = await contest(rig, entrants, options, say);
  if (!values.check) await report(heats);
} finally {
  await rig.close();
}

async function report(heats) {
  say('starts and memory at rest');
  const footprints = await footprintsOf(rig, entrants);
  loads.push(load());
  const circumstances = `${options.rounds} rounds of ${options.seconds} s each, in turns; the load of the machine was ${loads[0]} before and ${loads[1]} after.`;
  console.log(`\nNode ${process.version}, ${availableParallelism()} cores; ${circumstances}\n`);
  console.log(aligned(measured(heats, entrants), (column) => column > 1));
  console.log(`\n${aligned(footprintTable(footprints), (column) => column > 0)}`);
  console.log(`\n${table(verdicts(heats, entrants))}`);
  if (values['write-docs']) await writeDocs({ heats, footprints, entrants, circumstances });
}

/** Progress messages, separate from the tables. */
function say(line) {
  console.error(line);
}

function load() {
  return loadavg()[0]?.toFixed(1);
}

function listOf(value) {
  return value.split(',').filter((item) => item !== '');
}

function positive(name, value) {
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  console.error(`--${name} wants a number above 0.`);
  process.exit(1);
}
