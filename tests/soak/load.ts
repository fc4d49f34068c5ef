import { randomUUID } from 'node:crypto';
import { manyClusters, ndjson } from '../kit/export-records.ts';
import type { TestMailServer } from '../kit/mail-server.ts';
import { until } from '../kit/until.ts';
import type { WebhookReceiver } from '../kit/webhook-receiver.ts';
import { type Callers, pause } from './callers.ts';

const PASSWORD = 'correct horse battery staple';
const PROJECTS = ['alpha', 'beta'];
/** Assets of an inventory. */
const [MIN_ASSETS, MAX_ASSETS] = [100, 400];

export interface Tenant {
  readonly name: string;
  readonly email: string;
  readonly key: Readonly<Record<string, string>>;
}

type Habit = () => Promise<unknown>;

/** Registers a tenant as a person does, and gives it projects with inventories and a webhook. */
export async function newTenant(
  name: string,
  callers: Callers,
  mails: TestMailServer,
  receiver: WebhookReceiver,
): Promise<Tenant> {
  const email = `${name}@example.com`;
  const post = (path: string, status: number, body: object, headers = {}) =>
    callers.expect(status, path, { method: 'POST', body, headers });
  await post('/auth/register', 202, { email, password: PASSWORD, tenantName: name });
  const token = await until('the mail of the registration', async () => {
    const mail = mails.received.find(({ to }) => to.includes(email));
    return /[?&#]token=([\w.-]+)/.exec(mail?.text ?? '')?.[1];
  });
  await post('/auth/verify-email', 204, { token });
  const { json } = await post('/auth/login', 200, { email, password: PASSWORD });
  const session = { authorization: `Bearer ${json.accessToken}` };
  const made = await post('/api-keys', 201, { name: 'soak' }, session);
  const key = { 'x-api-key': made.json.key };
  for (const project of PROJECTS) {
    await post('/projects', 201, { name: project }, key);
    await upload(callers, key, project);
  }
  const events = ['scan.completed', 'findings.opened', 'findings.resolved'];
  await post('/webhooks', 201, { url: receiver.url, events }, session);
  return { name, email, key };
}

/** Runs the habits of every tenant until the end, and then until each habit has finished its turn. */
export async function runLoad(
  tenants: readonly Tenant[],
  callers: Callers,
  endMs: number,
): Promise<void> {
  const habits = tenants.flatMap((tenant) => habitsOf(tenant, callers));
  await Promise.all(
    habits.map(async (habit) => {
      while (Date.now() < endMs) {
        const begunMs = performance.now();
        // What was unexpected is already recorded.
        await habit().catch(() => undefined);
        // Rests at least as long as it worked, so that a slow machine is not overloaded.
        const tookMs = performance.now() - begunMs;
        await pause(300 + tookMs, 2_500 + 2 * tookMs);
      }
    }),
  );
}

function habitsOf({ email, key }: Tenant, callers: Callers): Habit[] {
  const get = (path: string) => callers.expect(200, path, { headers: key });
  const send = (method: string, path: string, status: number, body?: unknown, headers = key) =>
    callers.expect(status, path, { method, headers, ...(body === undefined ? {} : { body }) });

  const scans = (project: string): Habit => {
    return async () => {
      await upload(callers, key, project);
      const scan = await send('POST', '/scans', 202, { projects: [project], profile: 'full' });
      await callers.follow(`/scans/${scan.json.id}/events`, key);
      const { json } = await get(`/scans/${scan.json.id}`);
      callers.finished(json.status);
    };
  };
  const lists: Habit = async () => {
    for (const path of [
      '/projects?limit=50',
      '/scans?limit=25',
      '/findings?limit=50&status=open',
      '/findings/summary',
      '/audit-events?limit=25',
      '/rules?limit=100',
      '/auth/me',
    ]) {
      await get(path);
      await pause(20, 200);
    }
  };
  const exports: Habit = async () => {
    for (const format of ['ndjson', 'csv', 'sarif']) {
      await get(`/findings/export?format=${format}&status=open`);
    }
    await pause(2_000, 6_000);
  };
  const writes: Habit = async () => {
    const name = `made-${randomUUID().slice(0, 8)}`;
    const headers = { ...key, 'idempotency-key': randomUUID() };
    await send('POST', '/projects', 201, { name }, headers);
    await send('POST', '/projects', 201, { name }, headers);
    await send('PATCH', `/projects/${name}`, 200, { description: 'changed' });
    const selector = { project: 'alpha', ruleId: 'gke-legacy-abac' };
    const mute = await send('POST', '/mutes', 201, { selector, reason: 'soak' });
    await get('/findings?muted=true&limit=10');
    await send('DELETE', `/mutes/${mute.json.id}`, 204);
    await send('DELETE', `/projects/${name}`, 204);
  };
  const signsIn: Habit = async () => {
    const login = await callers.expect(200, '/auth/login', {
      method: 'POST',
      body: { email, password: PASSWORD },
    });
    const session = { authorization: `Bearer ${login.json.accessToken}` };
    await callers.expect(200, '/auth/me', { headers: session });
    const made = await send('POST', '/api-keys', 201, { name: 'short' }, session as never);
    const own = { 'x-api-key': made.json.key };
    await callers.expect(200, '/scans?limit=5', { headers: own });
    await send('DELETE', `/api-keys/${made.json.id}`, 204, undefined, session as never);
    await callers.expect(401, '/scans?limit=5', { headers: own });
    const fresh = await callers.expect(200, '/auth/refresh', {
      method: 'POST',
      body: { refreshToken: login.json.refreshToken },
    });
    await callers.expect(204, '/auth/logout', {
      method: 'POST',
      body: { refreshToken: fresh.json.refreshToken },
    });
    await pause(1_000, 4_000);
  };
  return [...PROJECTS.map(scans), lists, lists, exports, writes, signsIn];
}

function upload(callers: Callers, key: Readonly<Record<string, string>>, project: string) {
  const assets = MIN_ASSETS + Math.floor(Math.random() * (MAX_ASSETS - MIN_ASSETS));
  return callers.expect(201, `/projects/${project}/inventory`, {
    method: 'PUT',
    headers: { ...key, 'content-type': 'application/x-ndjson' },
    body: ndjson(manyClusters(assets)),
  });
}
