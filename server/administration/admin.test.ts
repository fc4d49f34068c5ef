import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { FEATURES } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type DatabaseUrls } from '../../tests/kit/database.ts';
import { rowsOf } from '../../tests/kit/owner-queries.ts';
import { bundled, forOperator, serverProcesses } from '../../tests/kit/server-process.ts';
import { FragileLink } from '../../tests/kit/tcp-proxy.ts';
import { startTestServer, TEST_APP_SECRET, type TestServer } from '../../tests/kit/test-server.ts';
import { newId } from '../platform/ids.ts';
import { runAdmin } from './run.ts';

let server: TestServer;
const folder = bundled();
const start = serverProcesses();

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

function spawned(environment: Record<string, string>, ...words: string[]): ChildProcess {
  return spawn(process.execPath, [join(folder, 'admin.mjs'), ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  });
}

async function ended(child: ChildProcess) {
  const streams = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''));
  const [[code], out, err] = await Promise.all([once(child, 'close'), ...streams]);
  return { code, out: String(out), err: String(err) };
}

/** Runs `npm run admin -- …` on the database of the test. */
const admin = (...words: string[]) =>
  ended(spawned({ ...forOperator(server.database), APP_SECRET: TEST_APP_SECRET }, ...words));

/** The same without a separate process. */
const inHere = (...words: string[]) => inHereAt(server.database, ...words);

async function inHereAt(urls: DatabaseUrls, ...words: string[]) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const code = await runAdmin(words, forOperator(urls), { out, err });
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}

const audited = async (tenantId: string, action: string) =>
  rowsOf(server.database, tenantId, 'SELECT * FROM audit_events WHERE action = $1', [action]);
const BY_OPERATOR = {
  outcome: 'success',
  actor_kind: 'operator',
  actor_id: null,
  actor_label: 'npm run admin',
};

describe('npm run admin', () => {
  it('npm run admin makes a tenant, licenses it, lists it, and adds an admin who can sign in, all of it audited', async () => {
    const made = await admin('tenant', 'create', 'Example Ltd');
    expect(made).toMatchObject({ code: 0, err: '' });
    const id = made.out.trim();
    expect(await admin('features', id, 'sso,audit_export')).toMatchObject({ code: 0 });
    const listed = await admin('tenant', 'list');
    expect(listed.out.split('\n')).toContain(`${id}\tsso,audit_export\tExample Ltd`);

    const email = `${newId()}@example.com`;
    const user = await admin('user', 'create', id, email.toUpperCase(), 'admin');
    expect(user).toMatchObject({ code: 0, err: '' });
    const password = user.out.trim().split(' ').at(-1);
    const login = await server.call('/auth/login', { method: 'POST', body: { email, password } });
    const headers = { authorization: `Bearer ${login.json.accessToken}` };
    const me = await server.call('/auth/me', { headers });
    expect(me.json).toMatchObject({
      role: 'admin',
      user: { email, emailVerified: true },
      tenant: { id, name: 'Example Ltd', features: ['sso', 'audit_export'] },
    });
    for (const [action, detail] of [
      ['tenant.created', { name: 'Example Ltd' }],
      ['tenant.features_set', { features: ['sso', 'audit_export'] }],
      ['user.created', { role: 'admin' }],
    ] as const) {
      expect(await audited(id, action)).toMatchObject([{ ...BY_OPERATOR, detail }]);
    }
    await admin('features', id, 'none');
    expect((await server.call('/tenant', { headers })).json.features).toEqual([]);
  });

  it('npm run admin adds an existing account without changing its password, and takes over an unverified one', async () => {
    const { id } = await server.people.tenant();
    const known = await server.people.user();
    const added = await admin('user', 'create', id, known.email, 'viewer');
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining('keeps its password') });
    const squatter = await server.people.user({ verified: false });
    const taken = await admin('user', 'create', id, squatter.email, 'viewer');
    const password = taken.out.trim().split(' ').at(-1);
    const login = async (email: string, secret: string | undefined) =>
      (await server.call('/auth/login', { method: 'POST', body: { email, password: secret } }))
        .status;
    expect(await login(known.email, known.password)).toBe(200);
    expect(await login(squatter.email, squatter.password)).toBe(401);
    expect(await login(squatter.email, password)).toBe(200);
    expect((await server.call('/auth/me', { headers: squatter.session })).status).toBe(401);
  });

  it('npm run admin voids what was set up in an account before its address was proven', async () => {
    const { id } = await server.people.tenant();
    const squatter = await server.people.user({ verified: false });
    await server.database.owner.query(
      'UPDATE identity.users SET totp_enabled_at = now(), totp_secret = $2 WHERE id = $1',
      [squatter.id, Buffer.from('x')],
    );
    const taken = await admin('user', 'create', id, squatter.email, 'viewer');
    const body = { email: squatter.email, password: taken.out.trim().split(' ').at(-1) };
    expect((await server.call('/auth/login', { method: 'POST', body })).status).toBe(200);
    expect((await server.call('/auth/me', { headers: squatter.key })).status).toBe(401);
  });

  it("npm run admin removes a person's second factor, ends their sessions and notifies each of their tenants", async () => {
    const person = await server.people.user({ amr: ['pwd', 'otp'] });
    const other = await server.people.tenant();
    await server.people.join(person, other, 'viewer');
    await server.database.owner.query(
      'UPDATE identity.users SET totp_enabled_at = now(), totp_secret = $2 WHERE id = $1',
      [person.id, Buffer.from('x')],
    );
    expect(await admin('user', 'reset-2fa', person.email)).toMatchObject({ code: 0, err: '' });
    expect((await server.call('/auth/me', { headers: person.session })).status).toBe(401);
    const me = await server.call('/auth/me', { headers: person.key });
    expect(me.json.user.twoFactorEnabled).toBe(false);
    for (const tenant of [person.tenant, other]) {
      const rows = await audited(tenant.id, 'user.two_factor_reset');
      expect(rows).toMatchObject([{ ...BY_OPERATOR, tenant_id: tenant.id, subject: person.id }]);
    }
  });

  it('npm run admin revokes a key given by id, by prefix or in full, and never prints the key', async () => {
    const person = await server.people.user();
    for (const name of ['id', 'beginning', 'key'] as const) {
      const { id, key, headers } = await server.people.key(person);
      const words = { id, beginning: key.slice(0, 17), key };
      expect(await admin('key', 'revoke', words[name])).toMatchObject({ code: 0, err: '' });
      expect((await server.call('/auth/me', { headers })).status).toBe(401);
      const again = await inHere('key', 'revoke', words[name]);
      expect(again.code).toBe(1);
      expect(again.err + again.out).not.toContain(key.slice(18));
    }
    expect(await audited(person.tenant.id, 'api_key.revoked')).toHaveLength(3);
  });

  it('npm run admin exports the complete audit trail of one tenant as NDJSON, in the format of the API', async () => {
    const person = await server.people.user();
    const stranger = await server.people.user();
    for (const { session } of [person, stranger, person]) {
      const body = { name: `p-${newId()}` };
      await server.call('/projects', { method: 'POST', headers: session, body });
    }
    await server.database.owner.query("SELECT set_config('app.tenant_id', $1, false)", [
      person.tenant.id,
    ]);
    await server.database.owner.query(
      `INSERT INTO audit_events (tenant_id, id, at, action, outcome, actor_kind, ip, correlation_id, detail)
       SELECT $1, gen_random_uuid(), now(), 'auth.login', 'failure', 'person', '', 'x', '{}'
       FROM generate_series(1, 2500)`,
      [person.tenant.id],
    );
    const { code, out } = await admin('audit', 'export', person.tenant.id);
    expect(code).toBe(0);
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toHaveLength(2502);
    expect(new Set(events.map(({ tenantId }) => tenantId))).toEqual(new Set([person.tenant.id]));
    const [first] = events.filter(({ action }) => action === 'project.created');
    expect(first).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      action: 'project.created',
      outcome: 'success',
      actor: { kind: 'jwt', id: person.id, label: person.email },
      tenantId: person.tenant.id,
      targetTenantId: null,
      ip: expect.any(String),
      correlationId: expect.any(String),
      subject: expect.stringMatching(/^p-/),
      detail: { projectId: expect.any(String) },
    });
  });

  it('npm run admin exits without an error when the reader of its output closes the pipe', async () => {
    const child = spawned(forOperator(server.database), 'tenant', 'list');
    child.stdout?.destroy();
    expect((await once(child, 'close'))[0]).toBe(0);
  });

  it('npm run admin exits with 1 and the reason on one line when its output cannot be written', async () => {
    const full = await open('/dev/full', 'w');
    try {
      const child = spawn(process.execPath, [join(folder, 'admin.mjs'), 'tenant', 'list'], {
        env: { PATH: process.env['PATH'] ?? '', ...forOperator(server.database) },
        stdio: ['ignore', full.fd, 'pipe'],
      });
      const err = child.stderr === null ? '' : text(child.stderr);
      expect((await once(child, 'close'))[0]).toBe(1);
      expect(await err).toMatch(/^Cannot write to standard output: ENOSPC.*\n$/);
    } finally {
      await full.close();
    }
  });

  it('npm run admin prints one line for each tenant, even if its name has control characters', async () => {
    const { id } = await server.people.tenant();
    const forged = `Ltd\n${newId()}\tsso\t\u001b[2J\u202eOther`;
    await server.database.owner.query('UPDATE identity.tenants SET name = $2 WHERE id = $1', [
      id,
      forged,
    ]);
    const { out } = await inHere('tenant', 'list');
    const lines = out.split('\n').filter((line) => line.includes(id));
    expect(lines).toEqual([expect.stringMatching(/^\S+\tnone\tLtd\?\S+\?sso\?\?\[2J\?Other$/)]);
  });

  it('npm run admin refuses every command, with the remedy of a server, while a tenant is on a cell that is not configured', async () => {
    const database = await cloneDatabase();
    try {
      const made = await inHereAt(database, 'tenant', 'create', 'Elsewhere Ltd');
      await database.owner.query('INSERT INTO cells.placements (tenant_id, cell) VALUES ($1, $2)', [
        made.out.trim(),
        'eu',
      ]);
      for (const words of [['audit', 'export', made.out.trim()], ['reseal'], ['tenant', 'list']]) {
        expect(await inHereAt(database, ...words)).toEqual({
          code: 1,
          out: '',
          err: 'DATABASE_CELLS: tenants are on eu; configure each cell that has tenants.\n',
        });
      }
    } finally {
      await database.drop();
    }
  });

  it('npm run admin waits DATABASE_TIMEOUT_MS for a connection', async () => {
    const link = await FragileLink.to(server.database.ownerUrl);
    // A connection takes three round trips, so longer than the default of 2 s.
    link.slow(400);
    try {
      const made = await inHereAt({ ...server.database, ownerUrl: link.url }, 'tenant', 'list');
      expect(made).toMatchObject({ code: 0, err: '' });
    } finally {
      await link.cut();
    }
  });
});

describe('invalid commands of npm run admin', () => {
  it.each([
    ['an unknown command', ['nope', 'x'], 'Unknown command "nope".'],
    [
      'an unknown command of a group',
      ['tenant', 'destroy', 'x'],
      'Unknown command "tenant destroy".',
    ],
    [
      'a word too few',
      ['user', 'create', newId(), 'a@example.com'],
      'Wrong arguments. Use: user create <tenantId> <email> <role>',
    ],
    ['a word too many', ['tenant', 'list', 'all'], 'Wrong arguments. Use: tenant list'],
    [
      'an unknown option in place of an argument',
      ['tenant', 'create', '--name'],
      'Unknown option --name. Use: tenant create <name>',
    ],
    ['an empty word', ['tenant', 'create', ''], 'Wrong arguments. Use: tenant create <name>'],
  ])(
    'npm run admin exits with 2 and prints the fault and its usage on standard error for %s',
    async (_what, words, fault) => {
      const { code, out, err } = await inHere(...words);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err.split('\n\n')[0]).toBe(fault);
      expect(err).toContain('Usage: npm run admin -- <command>');
    },
  );

  it('npm run admin sets the exit code of the shell for an invalid command', async () => {
    expect((await admin('tenant', 'destroy', newId())).code).toBe(2);
    expect((await admin('audit', 'export', newId())).code).toBe(1);
  });

  it('npm run admin prints its usage for --help after a command, and does not run the command', async () => {
    const { code, out } = await inHere('tenant', 'create', '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: /);
    const listed = await inHere('tenant', 'list');
    expect(listed.out).not.toContain('--help');
  });

  it('npm run admin --help lists every command with its options, and every feature', async () => {
    const { code, out } = await inHere('--help');
    expect(code).toBe(0);
    for (const words of [
      'tenant create',
      'tenant list',
      'tenant move <tenantId> <cell> [--dry-run | --abort]',
      'features',
      'user create',
      'user reset-2fa',
      'key revoke',
      'reseal',
      'audit export',
      'migrate',
      ...FEATURES,
    ]) {
      expect(out).toContain(words);
    }
  });

  it.each([
    ['an unknown tenant', () => ['features', newId(), 'sso'], 'does not exist'],
    ['a tenant of another form', () => ['audit', 'export', 'all'], 'Tenant all does not exist'],
    [
      'an unknown user',
      () => ['user', 'reset-2fa', 'nobody@example.com'],
      'User nobody@example.com does not exist',
    ],
    ['an unknown key', () => ['key', 'revoke', newId()], 'No active API key has this id'],
    ['an unknown feature', (id: string) => ['features', id, 'sso,gold'], 'Unknown feature: gold'],
    [
      'an unknown role',
      (id: string) => ['user', 'create', id, 'a@example.com', 'boss'],
      'no role boss',
    ],
    [
      'no address',
      (id: string) => ['user', 'create', id, 'nobody', 'admin'],
      'not a valid e-mail address',
    ],
    [
      'a name too long',
      () => ['tenant', 'create', 'x'.repeat(101)],
      'must have 1 to 100 characters',
    ],
  ])(
    'npm run admin exits with 1, prints one line on standard error and changes nothing for %s',
    async (_what, words, line) => {
      const { id } = await server.people.tenant();
      const { code, out, err } = await inHere(...words(id));
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(line);
      expect(err.trimEnd().split('\n')).toHaveLength(1);
      expect(await rowsOf(server.database, id, 'SELECT 1 FROM audit_events')).toEqual([]);
    },
  );

  it('npm run admin rejects a person who is already a member', async () => {
    const person = await server.people.user();
    const reply = await inHere('user', 'create', person.tenant.id, person.email, 'admin');
    expect(reply).toMatchObject({ code: 1, err: expect.stringContaining('already') });
  });

  it('npm run admin refuses a configuration that the server would refuse, and lists its faults', async () => {
    const { code, err } = await ended(spawned({ NODE_ENV: 'production' }, 'tenant', 'list'));
    expect(code).toBe(1);
    for (const name of ['APP_SECRET', 'DATABASE_URL', 'MAIL_URL']) expect(err).toContain(name);
  });
});

describe('on the embedded Postgres', () => {
  it('npm run admin works while a server runs on the embedded Postgres, and starts that Postgres if no server runs', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cspm-admin-'));
    // When started by root, Postgres runs as another account, which must have access.
    if (process.geteuid?.() === 0) await chmod(directory, 0o711);
    try {
      const environment = { DATA_DIR: directory };
      const alone = await ended(spawned(environment, 'tenant', 'create', 'Before the server'));
      expect(alone).toMatchObject({ code: 0, err: '' });
      const running = start(environment);
      const url = await running.url();
      const beside = await ended(spawned(environment, 'tenant', 'create', 'Beside the server'));
      expect(beside).toMatchObject({ code: 0, err: '' });
      const { out } = await ended(spawned(environment, 'tenant', 'list'));
      expect(out).toContain('Before the server');
      expect(out).toContain('Beside the server');
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      running.signal('SIGTERM');
      await running.ended();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
