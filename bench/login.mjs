// Checking passwords is expensive by design, and must not slow down other requests.
import { request } from 'node:http';
import { freshAddress, pause, probe } from './client.mjs';
import { quantile } from './numbers.mjs';
import { EMAIL, PASSWORD } from './rig.mjs';

const LOGINS = 32;
const IDLE_MS = 3_000;
const PAUSE_MS = 5;

/**
 * @param {import('./rig.mjs').Rig} rig
 * @param {(line: string) => void} say
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
export async function loginRace(rig, say) {
  const server = await rig.startServer();
  // The first login starts the hashing threads.
  await login(server);
  const idle = probe(`${server.url}/health/live`, PAUSE_MS);
  await pause(IDLE_MS);
  const before = await idle.stop();
  say(`${LOGINS} logins at once`);
  const busy = probe(`${server.url}/health/live`, PAUSE_MS);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: LOGINS }, () => login(server)));
  const seconds = (performance.now() - startedAt) / 1000;
  const during = await busy.stop();
  await server.stop();
  const [idleP99, busyP99] = [before, during].map((times) => quantile(times, 0.99));
  const ms = (value) => `${value.toFixed(1)} ms`;
  return [
    { what: `${LOGINS} logins at once`, value: `${seconds.toFixed(1)} s` },
    { what: 'GET /health/live p99: idle', value: ms(idleP99) },
    { what: 'GET /health/live p99: during the logins', value: ms(busyP99) },
    { what: 'the difference', value: ms(busyP99 - idleP99) },
    { what: 'the longest during the logins', value: ms(Math.max(...during)) },
  ].map((row) => ({ part: 'login', ...row }));
}

/** A login without an API key, from a separate address. */
function login({ url }) {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': freshAddress() };
    const sent = request(`${url}/auth/login`, { method: 'POST', headers });
    sent.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve(undefined);
        else reject(new Error(`A login was answered ${response.statusCode}`));
      });
    });
    sent.end(JSON.stringify({ email: EMAIL, password: PASSWORD }));
  });
}
