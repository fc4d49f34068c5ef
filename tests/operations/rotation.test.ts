import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runAdmin } from '../../server/administration/run.ts';
import { sealedAnew } from '../../server/modules/auth/two-factor/second-factor.ts';
import { findWebhook, insertWebhook } from '../../server/modules/webhooks/queries.ts';
import {
  newSigningSecret,
  openSecret,
  sealSecret,
  WEBHOOK_KEYS,
} from '../../server/modules/webhooks/secret.ts';
import { keyRing } from '../../server/platform/crypto/app-secrets.ts';
import { newId } from '../../server/platform/ids.ts';
import { Analyst } from '../kit/analyst.ts';
import { codeAt, enrol } from '../kit/authenticator.ts';
import { cloneDatabase, type TestDatabase } from '../kit/database.ts';
import { FakeGoogle } from '../kit/google/fake-google.ts';
import { mailJobsOf } from '../kit/mailbox.ts';
import { Operator } from '../kit/operator.ts';
import type { TestUser } from '../kit/people.ts';
import { forOperator } from '../kit/server-process.ts';
import { startTestServer, type TestServer } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

const PARENT = 'projects/shop-prod';

const OLD = 'the secret that leaked and has 32 bytes or more';
const NEW = 'the secret after it that has 32 bytes or more too';

let database: TestDatabase;
/** Successive servers of a rotation on one database. */
let before: TestServer;
let during: TestServer;
let after: TestServer;

beforeAll(async () => {
  database = await cloneDatabase();
  const under = (...appSecrets: string[]) => startTestServer({ database, config: { appSecrets } });
  before = await under(OLD);
  during = await under(NEW, OLD);
  after = await under(NEW);
});

afterAll(async () => {
  for (const server of [before, during, after]) await server.close();
  await database.drop();
});

let user: TestUser;

beforeEach(async () => {
  user = await before.people.user();
});

const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });
const login = (server: TestServer, code?: { totp?: string; recoveryCode?: string }) =>
  server.call('/auth/login', {
    method: 'POST',
    body: { email: user.email, password: user.password, ...code },
  });
const me = async (server: TestServer, accessToken: string) =>
  (await server.call('/auth/me', { headers: bearer(accessToken) })).status;
const refreshed = (server: TestServer, refreshToken: string) =>
  server.call('/auth/refresh', { method: 'POST', body: { refreshToken } });
/** A code of an authenticator; each can be used once, so this shifts to another of the three valid time steps. */
const code = (secret: string, steps: number) => codeAt(secret, before.clock.now(), steps);

async function reseal(...secrets: string[]) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const environment = { ...forOperator(database), APP_SECRET: secrets.join(',') };
  const exitCode = await runAdmin(['reseal'], environment, { out, err });
  out.end();
  err.end();
  return { exitCode, out: await text(out), err: await text(err) };
}

describe('servers that know both secrets in either order', () => {
  it('servers that know both secrets in either order accept tokens, codes and stored responses of each other', async () => {
    const early = await startTestServer({ database, config: { appSecrets: [OLD, NEW] } });
    try {
      for (const [one, other] of [
        [early, during],
        [during, early],
      ] as const) {
        const { json } = await login(one);
        expect(await me(other, json.accessToken)).toBe(200);
        const headers = { ...user.key, 'idempotency-key': newId() };
        const create = { method: 'POST', headers, body: { name: `p-${newId()}` } };
        expect((await one.call('/projects', create)).status).toBe(201);
        const again = await other.call('/projects', create);
        expect(again.headers.get('idempotency-replayed')).toBe('true');
      }
      const { secret } = await enrol(database, OLD, user, { at: before.clock.now() });
      expect((await login(during, { totp: code(secret, 0) })).status).toBe(200);
      expect((await login(early, { totp: code(secret, 1) })).status).toBe(200);
    } finally {
      await early.close();
    }
  });
});

describe('with the new secret before the old one', () => {
  it('during a rotation of APP_SECRET, access and refresh tokens of either server are valid at the other', async () => {
    const { json } = await login(before);
    expect(await me(during, json.accessToken)).toBe(200);
    const next = (await refreshed(during, json.refreshToken)).json;
    expect(await me(during, next.accessToken)).toBe(200);
    // A server that was not restarted yet does not know the new secret, so clients have to get a new token.
    expect(await me(before, next.accessToken)).toBe(401);
    expect((await refreshed(before, next.refreshToken)).status).toBe(200);
  });

  it('during a rotation of APP_SECRET, second factors work, and move to the new secret when they are used', async () => {
    const { secret } = await enrol(database, OLD, user, { at: before.clock.now() });
    expect((await login(during, { totp: code(secret, 0) })).status).toBe(200);
    expect((await login(after, { totp: code(secret, 1) })).status).toBe(200);
  });

  it('during a rotation of APP_SECRET, a repeated request gets the stored response, and has no second effect', async () => {
    const create = {
      method: 'POST',
      headers: { ...user.key, 'idempotency-key': newId() },
      body: { name: 'shop' },
    };
    const first = await before.call('/projects', create);
    const again = await during.call('/projects', create);
    expect(first.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.json).toEqual(first.json);
  });

  it('during a rotation of APP_SECRET, a waiting mail is sent, and its link is valid', async () => {
    const body = { email: user.email };
    await before.call('/auth/forgot-password', { method: 'POST', body });
    const config = { appSecrets: [NEW, OLD] };
    const worker = await startTestServer({ database, worker: true, config });
    const outbox = join(worker.dataDir, 'outbox');
    const mail = await until('the mail', async () => {
      const files = await readdir(outbox).catch(() => []);
      // A mail that is being written has another extension.
      const file = files.find((name) => name.endsWith('.eml'));
      return file === undefined ? null : readFile(join(outbox, file), 'utf8');
    });
    await until('an empty queue', async () => (await mailJobsOf(worker)).length === 0);
    await worker.close();
    // Quoted-printable writes = as =3D and wraps lines.
    const plain = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    const token = /reset-password\?token=([\w-]+)/.exec(plain)?.[1];
    const reset = { token, password: 'another long passphrase of mine' };
    expect((await after.call('/auth/reset-password', { method: 'POST', body: reset })).status).toBe(
      204,
    );
  });
});

describe('without the old secret', () => {
  it('without the old APP_SECRET, its access tokens are refused, but refresh tokens, keys and links are accepted', async () => {
    const { json } = await login(before);
    expect(await me(after, json.accessToken)).toBe(401);
    const next = await refreshed(after, json.refreshToken);
    expect(next.status).toBe(200);
    expect(await me(after, next.json.accessToken)).toBe(200);
    expect((await after.call('/auth/me', { headers: user.key })).status).toBe(200);
  });

  it('without the old APP_SECRET, authenticators that were not resealed are refused, but recovery codes are accepted', async () => {
    const { secret, recoveryCodes } = await enrol(database, OLD, user, { at: before.clock.now() });
    expect((await login(after, { totp: code(secret, 0) })).status).toBe(401);
    const [recoveryCode = ''] = recoveryCodes;
    expect((await login(after, { recoveryCode })).status).toBe(200);
  });

  it('a response stored under a removed APP_SECRET is unreadable, so the request runs again', async () => {
    const create = {
      method: 'POST',
      headers: { ...user.key, 'idempotency-key': newId() },
      body: { name: 'shop' },
    };
    expect((await before.call('/projects', create)).status).toBe(201);
    expect((await after.call('/projects', create)).status).toBe(409);
  });
});

describe('npm run admin -- reseal', () => {
  it('npm run admin -- reseal moves the keys of inventory sources to the new secret', async () => {
    const google = await FakeGoogle.start();
    await google.serveFile(PARENT, new URL('../../samples/shop-prod.ndjson', import.meta.url));
    const early = await startTestServer({
      ...{ database, googleCloud: google },
      config: { appSecrets: [OLD] },
    });
    const late = await startTestServer({
      ...{ database, googleCloud: google },
      config: { appSecrets: [NEW] },
    });
    try {
      const person = await Analyst.at(early);
      const project = await person.project();
      const credential = { type: 'service_account_key', key: google.viewer(PARENT) };
      const body = { kind: 'google-cloud', parent: PARENT, credential };
      await person.ask(201, `/projects/${project}/source`, { method: 'PUT', body });
      const check = () =>
        late.call(`/projects/${project}/source/check`, { method: 'POST', headers: person.headers });
      expect((await check()).json.checks[0]).toMatchObject({
        name: 'credential',
        ok: false,
        remedy: 'Set the source again.',
      });
      expect(await reseal(NEW, OLD)).toMatchObject({
        exitCode: 0,
        out: expect.stringMatching(/Re-encrypted 1 keys of inventory sources; 1 of 1 now/),
      });
      expect((await check()).json.ok).toBe(true);
    } finally {
      await early.close();
      await late.close();
      await google.close();
    }
  });

  it('npm run admin -- reseal moves every authenticator to the first secret, and does nothing the second time', async () => {
    const people: { person: TestUser; secret: string }[] = [];
    for (const pending of [false, false, true]) {
      const person = await before.people.user();
      const { secret } = await enrol(database, OLD, person, { at: before.clock.now(), pending });
      people.push({ person, secret });
    }
    const first = await reseal(NEW, OLD);
    expect(first).toMatchObject({ exitCode: 0, err: '' });
    expect(Number(/\d+/.exec(first.out)?.[0])).toBeGreaterThanOrEqual(people.length);
    expect(await reseal(NEW, OLD)).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^Re-encrypted 0 /),
    });
    expect(await reseal(NEW)).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^Re-encrypted 0 /),
    });
    for (const { person, secret } of people.slice(0, 2)) {
      user = person;
      expect((await login(after, { totp: code(secret, 0) })).status).toBe(200);
    }
    const [, , pending] = people;
    const session = await after.people.session(pending?.person ?? user);
    await database.owner.query(
      'UPDATE identity.users SET totp_pending_session = $2 WHERE id = $1',
      [pending?.person.id, session.id],
    );
    const enable = await after.call('/auth/2fa/enable', {
      method: 'POST',
      headers: session.headers,
      body: { code: code(pending?.secret ?? '', 0) },
    });
    expect(enable.status).toBe(200);
  });

  /** A webhook whose signing secret is encrypted with the old secret. */
  async function webhook(): Promise<{ id: string; secret: string }> {
    const [id, secret] = [newId(), newSigningSecret()];
    const sealed = sealSecret(keyRing([OLD], WEBHOOK_KEYS), id, secret);
    const content = { url: 'https://hooks.example.com/', events: ['scan.failed'], description: '' };
    await before.services.tenants.write(user.tenant.id, (db) =>
      insertWebhook(db, {
        ...{ id, ...content, format: 'standard', enabled: true },
        ...{ secret: sealed, createdAt: before.clock.now() },
      }),
    );
    return { id, secret };
  }

  it('npm run admin -- reseal moves the signing secrets of webhooks', async () => {
    const { id, secret } = await webhook();
    const refused = await reseal(NEW);
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('rotate') });
    expect((await reseal(NEW, OLD)).out).toContain('signing secrets of webhooks');
    const stored = await before.services.tenants.read(user.tenant.id, (db) => findWebhook(db, id));
    const keys = keyRing([NEW], WEBHOOK_KEYS);
    expect(openSecret(keys, id, stored?.secret ?? Buffer.of())).toBe(secret);
  });

  it('npm run admin -- reseal moves what it can decrypt of every kind, then names each account, source and webhook that it cannot, with the remedy', async () => {
    const lost = Buffer.alloc(80, 7);
    const { owner } = database;
    const blank = { tenant: user.tenant.id, project: newId(), webhook: (await webhook()).id };
    await owner.query("SELECT set_config('app.tenant_id', $1, false)", [blank.tenant]);
    await owner.query('UPDATE identity.users SET totp_secret = $2 WHERE id = $1', [user.id, lost]);
    await owner.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [blank.webhook, lost]);
    await owner.query(
      `INSERT INTO projects (tenant_id, id, name, description, created_at) VALUES ($1, $2, 'shop-prod', '', now())`,
      [blank.tenant, blank.project],
    );
    await owner.query(
      `INSERT INTO sources (tenant_id, project_id, kind, parent, credential_type, principal, credential, created_by_kind, created_by_label, created_at)
       VALUES ($1, $2, 'google-cloud', $3, 'service_account_key', 'reader', $4, 'master_key', '', now())`,
      [blank.tenant, blank.project, PARENT, lost],
    );
    const moved = await before.people.user();
    await enrol(database, OLD, moved, { at: before.clock.now() });
    await webhook();

    const { exitCode, out, err } = await reseal(NEW, OLD);
    expect(exitCode).toBe(1);
    expect(out.replaceAll(/\d+ of \d+/g, 'n of n').split('\n')).toEqual([
      'Re-encrypted 1 TOTP secrets; n of n now use the current secret.',
      'Re-encrypted 0 keys of inventory sources; n of n now use the current secret.',
      'Re-encrypted 1 signing secrets of webhooks; n of n now use the current secret.',
      '',
    ]);
    const repeat = 'Append that secret to APP_SECRET and repeat. If it is lost,';
    const faults = [
      `1 TOTP secrets. ${repeat} remove the second factor of each account (user reset-2fa <email>): ${user.email}.`,
      `1 keys of inventory sources. ${repeat} set each source again with a key: project shop-prod of tenant ${blank.tenant}.`,
      `1 signing secrets of webhooks. ${repeat} rotate the secret of each webhook and give the new one to its receiver: webhook ${blank.webhook} of tenant ${blank.tenant}.`,
    ];
    expect(err.trimEnd().split('\n')).toEqual(
      faults.map((fault) => `Encrypted with a secret that is not configured: ${fault}`),
    );
    await owner.query('UPDATE identity.users SET totp_secret = NULL WHERE id = $1', [user.id]);
    await owner.query('DELETE FROM webhooks WHERE id = $1', [blank.webhook]);
    await owner.query('DELETE FROM sources WHERE project_id = $1', [blank.project]);
  });

  it('npm run admin -- reseal reports how many secrets it cannot decrypt, changes none of them, and fails', async () => {
    const { secret } = await enrol(database, OLD, user, { at: before.clock.now() });
    const refused = await reseal(NEW);
    expect(refused).toMatchObject({
      exitCode: 1,
      out: expect.stringMatching(/^Re-encrypted 0 /),
      err: expect.stringMatching(
        /^Encrypted with a secret that is not configured: 1 TOTP secrets\./,
      ),
    });
    expect((await login(before, { totp: code(secret, 0) })).status).toBe(200);
    await reseal(NEW, OLD);
  });

  it('a code is accepted although its secret is re-encrypted between check and use', async () => {
    const { secret } = await enrol(database, OLD, user, { at: before.clock.now() });
    const { owner } = database;
    await owner.query('BEGIN');
    const { rows } = await owner.query<{ secret: Buffer }>(
      'SELECT totp_secret AS secret FROM identity.users WHERE id = $1 FOR UPDATE',
      [user.id],
    );
    const signingIn = login(during, { totp: code(secret, 0) });
    const operator = await Operator.at(database);
    // It has read the secret, verified the code, and waits to mark it as used.
    await operator.waiting(1);
    const sealed = sealedAnew(keyRing([NEW, OLD], 'totp'), user.id, rows[0]?.secret ?? Buffer.of());
    await owner.query('UPDATE identity.users SET totp_secret = $2 WHERE id = $1', [
      user.id,
      sealed,
    ]);
    await owner.query('COMMIT');
    expect((await signingIn).status).toBe(200);
    await operator.leave();
    // The code is used up anyway.
    expect((await login(during, { totp: code(secret, 0) })).status).toBe(401);
    expect((await login(after, { totp: code(secret, 1) })).status).toBe(200);
  });
});

describe('a password of the serving role', () => {
  it('a database password that is changed before the server has it is reported as an outage', async () => {
    const appUrl = Object.assign(new URL(database.appUrl), { password: 'another-word' }).href;
    const locked = await startTestServer({ database: { ...database, appUrl } });
    try {
      const reply = await locked.call('/auth/me', { headers: user.key });
      expect(reply).toMatchObject({ status: 503, json: { code: 'AUTH_UNAVAILABLE' } });
      expect((await locked.call('/health/ready')).json.health.database).toBe('failing');
    } finally {
      await locked.close();
    }
  });
});
