import { systemClock } from '../../sdk/src/system-clock.ts';
import { median } from '../numbers.mjs';

const CALLS = 300;
const AT_A_TIME = 8;
const ROUNDS = 5;

/**
 * The CPU cost of a successful call, as a multiple of `fetch` plus `response.json()`. The server is another process;
 * the two take turns.
 * @param {import('../../sdk/conformance/subject.ts').Subject} subject
 * @param {string} url
 */
export async function cpuRatio(subject, url) {
  const client = subject.open({ baseUrl: url, credential: 'cspm_bench', clock: systemClock });
  const path = subject.routes.read.at.slice('GET '.length);
  const call = () => client.call('read');
  const bare = async () => (await fetch(url + path)).json();
  await costOf(call);
  await costOf(bare);
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1)
    ratios.push((await costOf(call)) / (await costOf(bare)));
  return median(ratios);
}

async function costOf(call) {
  const before = process.cpuUsage();
  let left = CALLS;
  const work = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
