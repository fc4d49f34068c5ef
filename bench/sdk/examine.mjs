// Examines one client in a separate process: every case in real time, then the figures. Sends the results to its
// parent.
import { examine } from '../../sdk/conformance/case.ts';
import { table } from '../../sdk/conformance/table.ts';
import { figuresOf } from './figures.mjs';
import { subjects } from './subjects.mjs';

/** Clients that wait when they must not are given up after this time. */
const LIMIT_MS = 8000;

const [name, url] = process.argv.slice(2);
const subject = subjects.find((one) => one.name === name);
if (!subject) throw new Error(`There is no client ${name}`);

/** Cases that only wait run in parallel; cases with many requests, and those about time, run with less load. */
const waves = [
  { atATime: 10, cases: table.filter(({ crowd, time }) => !crowd && time !== 'real') },
  { atATime: 2, cases: table.filter(({ crowd }) => crowd) },
  { atATime: 3, cases: table.filter(({ time }) => time === 'real') },
];
const results = new Map();
for (const { atATime, cases } of waves) await play(cases, atATime);
// A busy machine can affect timing but no counts, so a case fails by time only after two failures.
const late = table.filter(({ id, crowd }) => !crowd && results.get(id).verdict === 'fail');
await play(late, 8);
const figures = await figuresOf(subject, url);
process.send({ results: Object.fromEntries(results), figures }, () => process.exit(0));

async function play(cases, atATime) {
  const waiting = [...cases];
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      results.set(one.id, await examine(subject, one, { real: true, limitMs: LIMIT_MS }));
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
}
