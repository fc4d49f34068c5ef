import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsOf } from '../../tests/kit/mailbox.ts';
import { forOperator } from '../../tests/kit/server-process.ts';
import { startTestServer, TEST_APP_SECRET, type TestServer } from '../../tests/kit/test-server.ts';
import { newId } from '../platform/ids.ts';
import { codeAttempts, Throttles } from '../platform/throttle.ts';
import { runAdmin } from './run.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function admin(...words: string[]): Promise<string> {
  const out = new PassThrough();
  const err = new PassThrough();
  const environment = { ...forOperator(server.database), APP_SECRET: TEST_APP_SECRET };
  expect(await runAdmin(words, environment, { out, err })).toBe(0);
  out.end();
  return text(out);
}

describe('messages of npm run admin', () => {
  it('npm run admin -- user reset-2fa says whether there was a second factor, tells its owner by mail, and ends all sessions in both cases', async () => {
    const { email, id } = await server.people.user();
    const other = await server.people.user();
    await server.database.owner.query(
      'UPDATE identity.users SET totp_enabled_at = now(), totp_secret = $2 WHERE id = $1',
      [id, Buffer.from('x')],
    );
    expect(await admin('user', 'reset-2fa', email)).toBe(
      `Removed the second factor of ${email} and ended all sessions.\n`,
    );
    for (const person of [email, other.email]) {
      expect(await admin('user', 'reset-2fa', person)).toBe(
        `${person} has no second factor. Ended all sessions.\n`,
      );
    }
    expect((await server.call('/auth/me', { headers: other.session })).status).toBe(401);
    const mails = await mailsOf(server);
    expect(mails).toMatchObject([{ to: email, template: 'two-factor-reset' }]);
    expect(mails[0]?.text).toContain('The operator of the service removed the authenticator');
  });

  it('npm run admin -- user reset-2fa also forgets wrong codes, which would lock the next second factor', async () => {
    const { email, id, tenant } = await server.people.user();
    const throttles = new Throttles(server.services.authenticator.pool, server.clock);
    const counted = [codeAttempts(id, null), codeAttempts(id, tenant.id)];
    for (const { name, of } of counted) while (await throttles.reserve(name, ...of));
    await admin('user', 'reset-2fa', email);
    for (const { name, of } of counted) expect(await throttles.reserve(name, ...of)).toBe(true);
  });

  it('npm run admin -- user reset-2fa rejects an address with a KELVIN SIGN, whose lower case is the letter k of another user', async () => {
    const { id, session } = await server.people.user();
    const email = `k-${id}@example.com`;
    await server.database.owner.query('UPDATE identity.users SET email = $2 WHERE id = $1', [
      id,
      email,
    ]);
    const words = ['user', 'reset-2fa', email.replace('k', '\u212a')];
    const [out, err] = [new PassThrough(), new PassThrough()];
    expect(await runAdmin(words, forOperator(server.database), { out, err })).not.toBe(0);
    err.end();
    expect(await text(err)).toContain('not a valid e-mail address');
    expect((await server.call('/auth/me', { headers: session })).status).toBe(200);
  });

  it('npm run admin -- tenant create warns on standard error that another tenant has the name, and prints only the id', async () => {
    const name = `Twice ${newId()}`;
    const first = (await admin('tenant', 'create', name)).trim();
    const [out, err] = [new PassThrough(), new PassThrough()];
    const words = ['tenant', 'create', name];
    expect(await runAdmin(words, forOperator(server.database), { out, err })).toBe(0);
    out.end();
    err.end();
    expect(await text(err)).toBe(`Warning: tenant ${first} has the same name.\n`);
    expect(await text(out)).toMatch(/^[0-9a-f-]{36}\n$/);
  });

  it.each([
    [[], 1, 'Nothing was deleted. To delete tenant'],
    [['--confirm', 'Another'], 1, 'not "Another". Nothing was deleted.'],
    [['--confirm'], 2, 'Wrong arguments. Use: tenant delete <tenantId> [--confirm <name>]'],
    [['--force'], 2, 'Unknown option --force. Use: tenant delete'],
  ])(
    'npm run admin -- tenant delete refuses %j and keeps the tenant',
    async (options, code, line) => {
      const { id } = await server.people.tenant();
      const [out, err] = [new PassThrough(), new PassThrough()];
      const words = ['tenant', 'delete', id, ...options];
      expect(await runAdmin(words, forOperator(server.database), { out, err })).toBe(code);
      err.end();
      expect(await text(err)).toContain(line);
      expect(await admin('tenant', 'list')).toContain(id);
    },
  );

  it('npm run admin --help names all secrets that reseal re-encrypts, as docs/administration.md does', async () => {
    expect(await admin('--help')).toContain(
      'TOTP secrets, keys of inventory sources and signing secrets of webhooks',
    );
  });
});
