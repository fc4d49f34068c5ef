// The figures of one client for the specification's table "Measured on others", in real time.
import { gaps, pause, until } from '../../sdk/conformance/check.ts';
import { everyFirst, halfSpan } from '../../sdk/conformance/crowd.ts';
import { openStage } from '../../sdk/conformance/stage.ts';
import { cpuRatio } from './cpu.mjs';

const NONE = '–';
const CALLS = 150;
const ROUNDS = 5;

/** How long a client is observed that may wait for 90 seconds. */
const WATCHED_MS = 3000;

/** The delay of half of a group that a busy machine may cause; more is jitter. */
const LATE_MS = 20;

/** Spacing of the members of a group, so they do not delay each other. */
const APART_MS = 40;

/** Each figure by its row in the table; rows of the specification keep their names. */
const FIGURES = {
  'requests on a bare 429': bare429,
  'Retry-After 2 s': retryAfter,
  'Retry-After 90 s': longRetryAfter,
  'HTTP-date': httpDate,
  'RateLimit header': rateLimit,
  'POST after reset': postAfterReset,
  key: keyOverAttempts,
  'abort in a sleep': abortInSleep,
  'requests per always-failing call': alwaysFailing,
};

/**
 * @param {import('../../sdk/conformance/subject.ts').Subject} subject
 * @param {string} url where everything succeeds
 * @returns {Promise<Record<string, string>>}
 */
export async function figuresOf(subject, url) {
  const figures = {};
  for (const [name, measure] of Object.entries(FIGURES)) {
    const stage = await openStage(subject, true);
    try {
      figures[name] = await measure(stage);
    } finally {
      await stage.close();
    }
  }
  figures['CPU per call, to fetch + JSON'] = `${(await cpuRatio(subject, url)).toFixed(2)} ×`;
  return figures;
}

async function bare429(stage) {
  stage.on('read', { status: 429 });
  await stage.settle(stage.client().call('read'));
  const requests = stage.sent('read').length;
  if (requests === 1) return '1';
  const waits = (await everyFirst(stage, 24, { status: 429 }, APART_MS)).map(
    (one) => gaps(one)[0] ?? 0,
  );
  const full = Math.min(...waits) < Math.max(...waits) / 4;
  const some = halfSpan(waits) > LATE_MS;
  const jitter = full ? 'full jitter' : some ? 'some jitter' : 'no jitter';
  return `${requests}, ${jitter}`;
}

async function retryAfter(stage) {
  const told = { status: 429, headers: { 'retry-after': '2' } };
  stage.on('read', told, 'ok');
  const first = await waitOf(stage);
  if (first === undefined) return NONE;
  if (first < 1998) return `ignored, ${seconds(first)}`;
  const waits = (await everyFirst(stage, 24, told, APART_MS)).map((one) => gaps(one)[0] ?? 0);
  // Of the 400 ms that the server adds.
  return halfSpan(waits) > 100 ? 'kept, + jitter' : 'kept';
}

async function longRetryAfter(stage) {
  stage.on('read', { status: 429 }, 'ok');
  if ((await waitOf(stage)) === undefined) return NONE;
  stage.on('read', { status: 429, headers: { 'retry-after': '90' } }, 'ok');
  const before = stage.sent('read').length;
  const call = stage.settle(stage.client().call('read'));
  const outcome = await Promise.race([call, pause(WATCHED_MS)]);
  const [early] = gaps(stage.sent('read').slice(before));
  if (early !== undefined) return `ignored, ${seconds(early)}`;
  if (outcome === undefined) return 'waits';
  return outcome.failure.retryAfterMs === 90_000 ? 'throws at once with the time' : 'throws';
}

async function httpDate(stage) {
  const told = [];
  for (const skewMs of [0, 3_600_000, -3_600_000]) {
    stage.server.on(stage.route('read').at, () => {
      stage.on('read', 'ok');
      const now = Date.now();
      const headers = {
        date: new Date(now + skewMs).toUTCString(),
        'retry-after': new Date(now + skewMs + 3000).toUTCString(),
      };
      return { status: 503, headers };
    });
    const wait = await Promise.race([waitOf(stage), pause(2 * WATCHED_MS).then(() => 90_000)]);
    if (wait === undefined) return NONE;
    // HTTP dates have whole seconds.
    told.push(wait >= 2000 && wait <= 5000);
  }
  if (!told[0]) return 'ignored';
  return told.every(Boolean) ? 'kept, skew corrected' : 'kept, not with skew';
}

async function rateLimit(stage) {
  const spent = { ratelimit: '"default";r=0;t=2' };
  stage.on('read', { status: 429, headers: spent }, 'ok');
  const wait = await waitOf(stage);
  const { answer } = stage.route('read');
  stage.on('read', { ...answer, headers: { ...answer.headers, ...spent } }, 'ok');
  const before = stage.sent('read').length;
  const client = stage.client();
  await client.call('read');
  await client.call('read');
  const [gap = 0] = gaps(stage.sent('read').slice(before));
  const paced = gap >= 1998 ? 'paced before' : undefined;
  const obeyed = (wait ?? 0) >= 1998 ? 'obeyed' : undefined;
  return [obeyed, paced].filter(Boolean).join(', ') || 'ignored';
}

async function postAfterReset(stage) {
  const call = stage.subject.routes.create ? 'create' : 'command';
  stage.on(call, 'reset', 'ok');
  await stage.settle(stage.client().call(call));
  const sent = stage.sent(call);
  if (sent.length === 1) return 'not repeated';
  const keyed = sent.every(({ headers }) => headers['idempotency-key'] !== undefined);
  return keyed ? 'only with the key' : 'without a key';
}

async function keyOverAttempts(stage) {
  if (!stage.subject.routes.create) return NONE;
  stage.on('create', 503, 503, 'ok');
  await stage.settle(stage.client().call('create'));
  const keys = new Set(stage.sent('create').map(({ headers }) => headers['idempotency-key']));
  if (keys.has(undefined)) return 'none';
  return keys.size === 1 ? 'stable' : 'changes';
}

async function abortInSleep(stage) {
  if (!stage.subject.abilities.has('signal')) return NONE;
  stage.on('read', { status: 503, headers: { 'retry-after': '30' } });
  const took = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const controller = new AbortController();
    let ended = false;
    const call = stage.settle(stage.client().call('read', { signal: controller.signal }));
    void call.then(() => {
      ended = true;
    });
    await until(() => stage.sent('read').length >= round);
    await pause(80);
    if (ended) return NONE;
    const abortedAt = performance.now();
    controller.abort();
    await Promise.race([call, pause(WATCHED_MS)]);
    took.push(performance.now() - abortedAt);
  }
  return `${Math.min(...took).toFixed(1)} ms`;
}

async function alwaysFailing(stage) {
  stage.on('read', 503);
  const client = stage.client();
  await Promise.allSettled(Array.from({ length: CALLS }, () => client.call('read')));
  return (stage.sent('read').length / CALLS).toFixed(2);
}

/** The pause of a call between its two requests; undefined: there was no second one. */
async function waitOf(stage) {
  const before = stage.sent('read').length;
  await stage.settle(stage.client().call('read'));
  return gaps(stage.sent('read').slice(before))[0];
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
