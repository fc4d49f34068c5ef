// Events for 50 receivers of one tenant. 10 of them hang: measures how soon the others get theirs, and the cost of a delivery.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { call, freshAddress, pause } from './client.mjs';
import { median, quantile } from './numbers.mjs';
import { postgresOf } from './postgres.mjs';
import { cpuSeconds, treeCpuSeconds } from './processes.mjs';
import { EMAIL, PASSWORD } from './rig.mjs';

const RECEIVERS = 50;
const HANGING = 10;
/** For each receiver: 10,000 deliveries in all. */
const EVENTS = 200;
/** Causes that are asked of the API at a time. */
const CAUSES = 8;
/** Requests of the yardstick at a time, as many as the worker makes for one tenant. */
const AT_A_TIME = 128;
const GOAL_MS = 2_000;

/**
 * @param {import('./rig.mjs').Rig} rig
 * @param {{ rounds: number }} options
 * @param {(line: string) => void} say
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
export async function webhookRace(rig, { rounds }, say) {
  const receivers = await startReceivers();
  const server = await rig.startServer();
  const postgres = await postgresOf(rig.ownerUrl);
  const owner = new pg.Client({ connectionString: rig.ownerUrl });
  await owner.connect();
  const session = await signIn(server);
  const tenantId = (await call(`${server.url}/tenant`)).id;
  // Row-level security applies to the owner as well.
  await owner.query("SELECT set_config('app.tenant_id', $1, false)", [tenantId]);
  const bench = { server, receivers, postgres, owner, session, tenantId };
  try {
    for (const url of receivers.urls) {
      const json = { url, events: ['api_key.created'], description: 'bench' };
      await call(`${server.url}/webhooks`, { method: 'POST', json });
    }
    const results = { burst: [], stream: [], bare: [] };
    for (let round = 0; round <= rounds; round += 1) {
      const one = {
        bare: await bareOf(receivers),
        burst: await measured(bench, burst),
        stream: await measured(bench, stream),
      };
      say(`round ${round} of ${rounds}: ${JSON.stringify(one)}`);
      // The first one warms up.
      if (round > 0) for (const [name, result] of Object.entries(one)) results[name].push(result);
    }
    return rowsOf(results);
  } finally {
    await owner.end();
    await postgres.close();
    await server.stop();
    await receivers.stop();
  }
}

function rowsOf({ burst: bursts, stream: streams, bare }) {
  const bareRate = median(bare.map(({ rate }) => rate));
  return [
    ['committed at once', bursts],
    ['caused through the API', streams],
  ].flatMap(([what, results]) => {
    const of = (member) => median(results.map((result) => result[member]));
    const p95 = of('p95');
    return [
      {
        part: 'webhooks',
        what: `${EVENTS * RECEIVERS} ${what}: 95 % of those of receivers that answer`,
        value: `${(p95 / 1000).toFixed(2)} s`,
        goal: `${GOAL_MS / 1000} s`,
        met: p95 < GOAL_MS,
      },
      {
        part: 'webhooks',
        what: `${EVENTS * RECEIVERS} ${what}: deliveries/s, over a bare loop of keep-alive POSTs`,
        value: `${of('rate').toFixed(0)}, ${(of('rate') / bareRate).toFixed(2)}`,
      },
      {
        part: 'webhooks',
        what: `${EVENTS * RECEIVERS} ${what}: CPU of a delivery in node, in Postgres, at the receiver`,
        value: `${of('nodeMicros').toFixed(0)}, ${of('postgresMicros').toFixed(0)}, ${of('receiverMicros').toFixed(0)} µs`,
      },
      ...(results === bursts ? [leastTimeOf(results)] : []),
    ];
  });
}

/** The deliveries take at least as long as all cores need for their CPU time. Other programs make the quotient larger. */
function leastTimeOf(results) {
  const cores = availableParallelism();
  const quotients = results.map(({ p95, nodeMicros, postgresMicros, receiverMicros }) => {
    const micros = nodeMicros + postgresMicros + receiverMicros;
    return p95 / ((micros * EVENTS * (RECEIVERS - HANGING) * 0.95) / 1000 / cores);
  });
  return {
    part: 'webhooks',
    what: `${EVENTS * RECEIVERS} committed at once: that time, over the least for this CPU time on ${cores} cores`,
    value: median(quotients).toFixed(2),
  };
}

/** Causes the events, and waits until all receivers that answer have theirs. */
async function measured(bench, cause) {
  const { server, receivers, postgres, owner } = bench;
  await owner.query('DELETE FROM jobs.webhook_dues');
  await owner.query('VACUUM ANALYZE jobs.webhook_dues, webhook_deliveries, webhook_events');
  await receivers.ask('take');
  const expected = EVENTS * (RECEIVERS - HANGING);
  const spent = await postgres.begin();
  const nodeBefore = treeCpuSeconds(server.pid);
  const receiversBefore = cpuSeconds(receivers.pid);
  const beganAt = Date.now();
  const committedAt = await cause(bench);
  const causedCpu = treeCpuSeconds(server.pid) - nodeBefore;
  const { cpuSeconds: causedPostgres } = await spent();
  while ((await receivers.ask('count')).received < expected) await pause(20);
  // Outcomes are recorded a little later.
  await pause(300);
  const { cpuSeconds: postgresSeconds } = await spent();
  const nodeSeconds = treeCpuSeconds(server.pid) - nodeBefore;
  const receiverSeconds = cpuSeconds(receivers.pid) - receiversBefore;
  const all = await receivers.ask('take');
  const first = new Map();
  for (const one of all) {
    const key = `${one.receiver} ${one.id}`;
    if (!first.has(key)) first.set(key, one);
  }
  if (first.size !== expected) throw new Error(`${first.size} events arrived, not ${expected}`);
  const delays = [...first.values()].map(({ at, causedAt }) => at - (committedAt ?? causedAt));
  const last = Math.max(...all.map(({ at }) => at));
  return {
    rate: Math.round((expected * 1000) / (last - (committedAt ?? beganAt))),
    p50: quantile(delays, 0.5),
    p95: quantile(delays, 0.95),
    repeated: all.length - expected,
    nodeMicros: Math.round(
      ((nodeSeconds - (committedAt === null ? 0 : causedCpu)) * 1e6) / expected,
    ),
    postgresMicros: Math.round(
      ((postgresSeconds - (committedAt === null ? 0 : causedPostgres)) * 1e6) / expected,
    ),
    receiverMicros: Math.round((receiverSeconds * 1e6) / expected),
  };
}

/** All in one transaction. @returns when it was committed */
async function burst({ owner, tenantId }) {
  await owner.query('BEGIN');
  await owner.query(
    `INSERT INTO webhook_events (tenant_id, id, type, body, created_at)
     SELECT $1, gen_random_uuid(), 'api_key.created', $2, now() FROM generate_series(1, $3)`,
    [tenantId, BODY, EVENTS],
  );
  await owner.query(
    `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id, status, next_attempt_at, created_at)
     SELECT e.tenant_id, gen_random_uuid(), w.id, e.id, 'pending', now(), now()
     FROM webhook_events e JOIN webhooks w ON w.tenant_id = e.tenant_id
     WHERE e.tenant_id = $1 AND e.created_at = now()::timestamptz(3)`,
    [tenantId],
  );
  await owner.query('COMMIT');
  return Date.now();
}

/** About as long as that of an event with a few findings. */
const BODY = JSON.stringify({
  type: 'api_key.created',
  timestamp: new Date().toISOString(),
  data: { keyId: '0', text: 'x'.repeat(800) },
});

/** Keys, as fast as the API creates them. */
async function stream({ server, session }) {
  let next = 0;
  const one = async () => {
    while (next < EVENTS) {
      next += 1;
      await post(`${server.url}/api-keys`, { name: `bench ${next}` }, session.accessToken);
    }
  };
  await Promise.all(Array.from({ length: CAUSES }, one));
  return null;
}

async function signIn({ url }) {
  const { accessToken } = await post(`${url}/auth/login`, { email: EMAIL, password: PASSWORD });
  const claims = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString());
  return { accessToken, claims };
}

async function post(url, body, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-forwarded-for': freshAddress() },
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} was answered ${response.status}`);
  return response.json();
}

/** The same number of requests to the receivers that answer, with an agent of node:http and nothing else. */
async function bareOf({ urls, ask }) {
  await ask('take');
  const quick = urls.slice(HANGING);
  const agent = new http.Agent({ keepAlive: true });
  const total = EVENTS * quick.length;
  const cpuBefore = cpuSeconds(process.pid);
  const since = performance.now();
  let next = 0;
  const one = async () => {
    while (next < total) {
      const url = quick[next % quick.length];
      next += 1;
      const request = http.request(url, { method: 'POST', agent });
      request.end(BODY);
      const [response] = await once(request, 'response');
      response.resume();
      await once(response, 'end');
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
  const seconds = (performance.now() - since) / 1000;
  agent.destroy();
  const cpu = cpuSeconds(process.pid) - cpuBefore;
  return { rate: Math.round(total / seconds), nodeMicros: Math.round((cpu * 1e6) / total) };
}

async function startReceivers() {
  const program = new URL('webhook-receivers.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, String(RECEIVERS), String(HANGING)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const answer = async () => JSON.parse((await once(lines, 'line'))[0]);
  const ports = await answer();
  return {
    pid: child.pid,
    urls: ports.map((port) => `http://127.0.0.1:${port}/hook`),
    ask: async (command) => {
      const answered = answer();
      child.stdin.write(`${command}\n`);
      return answered;
    },
    stop: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
