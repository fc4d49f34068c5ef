// npm run bench:scale [-- --tenants 1000 --findings 10000000 --requests 200 --keep <folder> --plans <file>
// --only <list> --partitions --under-scan --assets 100000]
// The same questions to a small dataset and to a large one, by way of the API; see bench/README.md.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { aligned } from '../report.mjs';
import { closeOnSignal } from '../rig.mjs';
import { compared } from './compare.mjs';
import { openEstate } from './open.mjs';
import { partitions } from './partitions.mjs';
import { openPlanner } from './plans.mjs';
import { pathOf, subjects } from './questions.mjs';
import { sizes } from './sizes.mjs';
import { underScan } from './under-scan.mjs';

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '1000' },
    findings: { type: 'string', default: '10000000' },
    requests: { type: 'string', default: '200' },
    keep: { type: 'string' },
    plans: { type: 'string' },
    only: { type: 'string' },
    partitions: { type: 'boolean', default: false },
    'under-scan': { type: 'boolean', default: false },
    assets: { type: 'string', default: '100000' },
  },
});
const large = { tenants: Number(values.tenants), findings: Number(values.findings) };
/** A tenth of the tenants with a tenth of the findings each. */
const small = {
  tenants: Math.max(10, Math.round(large.tenants / 10)),
  findings: Math.max(1_000, Math.round(large.findings / 100)),
};

const HEAD = [
  'tenant',
  'asked',
  'rows',
  'small',
  'large',
  'ratio',
  'p99 small',
  'p99 large',
  'removed',
  'pages',
  'plan',
];

const rigs = [];
const close = async () => {
  for (const rig of rigs) await rig.close();
};
closeOnSignal({ close });
try {
  for (const [name, scale] of Object.entries({ small, large })) {
    say(`${name}: ${scale.tenants} tenants, ${scale.findings} findings`);
    const keep = values.keep === undefined ? undefined : join(values.keep, name);
    rigs.push(await openEstate({ ...scale, keep, say }));
  }
  const [few, many] = await Promise.all(rigs.map(sideOf));
  const rows = [];
  const failures = [];
  for (const subject of many.subjects) {
    const other = few.subjects.find(({ name }) => name === subject.name);
    for (const question of subject.questions) {
      if (values.only !== undefined && question.list !== values.only) continue;
      const same = other.questions.find(
        (q) => q.list === question.list && q.name === question.name,
      );
      const about = `${subject.name} ${question.list} ${question.name}`;
      try {
        const times = await compared(
          { url: few.url, apiKey: other.apiKey, path: pathOf(same) },
          { url: many.url, apiKey: subject.apiKey, path: pathOf(question) },
          Number(values.requests),
        );
        const fewPlans = await few.planner.plansOf(other.tenantId, same);
        const plans = await many.planner.plansOf(subject.tenantId, question);
        rows.push({ subject, question, times, fewPlans, plans });
        say(`${about}: ${times.large.median.toFixed(1)} ms`);
      } catch (error) {
        // A statement timeout is a result as well.
        failures.push(`FAILED ${about}: ${error}`);
        say(failures.at(-1));
      }
    }
  }
  console.log(
    `\nNode ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  console.log(aligned([HEAD, ...rows.map(cellsOf)], (at) => at >= 2 && at <= 9));
  for (const failure of failures) console.log(failure);
  console.log(`\n${await sizes(rigs[1].ownerUrl)}`);
  if (values.plans !== undefined) await writeFile(values.plans, rows.map(planText).join('\n\n'));
  for (const { planner, server } of [few, many]) {
    await planner.close();
    await server.stop();
  }
  if (values['under-scan']) {
    const apiKey = many.subjects.find(({ name }) => name === 'middle').apiKey;
    console.log(`\n${await underScan(rigs[1], { assets: Number(values.assets), apiKey }, say)}`);
  }
  if (values.partitions) {
    const ids = Object.fromEntries(many.subjects.map(({ name, tenantId }) => [name, tenantId]));
    const { largest, middle } = ids;
    console.log(`\n${await partitions(rigs[1].ownerUrl, { largest, middle }, say)}`);
  }
} finally {
  await close();
}

async function sideOf(rig) {
  const server = await rig.startServer({ WORKER: 'off' });
  const { url } = server;
  return {
    server,
    url,
    subjects: await subjects(rig.ownerUrl),
    planner: await openPlanner(rig.appUrl),
  };
}

function cellsOf({ subject, question, times, fewPlans, plans }) {
  const ms = (value) => value.toFixed(1);
  const sum = (of, all = plans) => all.reduce((total, plan) => total + plan[of], 0);
  return [
    subject.name,
    `${question.list}: ${question.name}${question.linear ? ' *' : ''}`,
    times.rows.join('/'),
    ms(times.small.median),
    ms(times.large.median),
    times.ratio.toFixed(2),
    ms(times.small.p99),
    ms(times.large.p99),
    String(sum('removed')),
    `${sum('buffers', fewPlans)}/${sum('buffers')}`,
    plans.flatMap((plan) => plan.scans).join('; '),
  ];
}

function planText({ subject, question, plans }) {
  const title = `## ${subject.name}: ${question.list} ${question.name}`;
  return [title, ...plans.map((plan) => plan.text)].join('\n');
}

/** Progress messages, separate from the table. */
function say(line) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
}
