import { median, quantile } from '../numbers.mjs';
import { asker } from './ask.mjs';

/** Enough for Postgres to choose a plan: sequential requests use the same connection. */
const WARM_UP = 10;
const ROUNDS = 5;
/** Slow requests are sent less often. */
const PATIENCE_MS = 10_000;

/**
 * The same question to two servers, in rounds that take turns.
 * @typedef {{ url: string, apiKey: string, path: string }} Side
 * @param {Side} small
 * @param {Side} large
 * @param {number} requests of each
 */
export async function compared(small, large, requests) {
  const sides = [small, large].map((side) => ({
    ...side,
    ...asker(side.url, side.apiKey),
    times: [],
  }));
  const rows = [];
  let slowest = 0;
  for (const side of sides) {
    for (let time = 0; time < WARM_UP; time += 1) {
      const { body, ms } = await side.ask(side.path);
      if (time === 0) rows.push(body.items?.length ?? 1);
      if (time > 0) slowest = Math.max(slowest, ms);
      if (slowest > PATIENCE_MS / WARM_UP && time > 6) break;
    }
  }
  const each = Math.max(
    1,
    Math.min(Math.ceil(requests / ROUNDS), Math.ceil(PATIENCE_MS / slowest / ROUNDS)),
  );
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const medians = [];
    for (const side of sides) {
      const times = [];
      for (let time = 0; time < each; time += 1) times.push((await side.ask(side.path)).ms);
      medians.push(median(times));
      side.times.push(...times);
    }
    ratios.push(medians[1] / medians[0]);
  }
  for (const side of sides) side.close();
  const [a, b] = sides.map(({ times }) => ({ median: median(times), p99: quantile(times, 0.99) }));
  return { rows, small: a, large: b, ratio: median(ratios) };
}
