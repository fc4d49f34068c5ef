import { describe, expect, it } from 'vitest';
import { Throttles } from '../../server/platform/throttle.ts';
import { codeAt, enrol } from './authenticator.ts';
import { sharedBrowser } from './cookie-jar.ts';
import { codeIn, postResponse } from './identity-provider.ts';
import { tokenIn } from './mailbox.ts';
import type { TestUser } from './people.ts';
import { masterKeyHeaders } from './shared-credentials.ts';
import { SingleSignOn } from './single-sign-on.ts';
import type { TestFleet } from './test-fleet.ts';
import { type Reply, TEST_APP_SECRET } from './test-server.ts';
import { until } from './until.ts';

type Headers = Readonly<Record<string, string>>;

const EVERYWHERE = [200, 200, 200];
const NOWHERE = [401, 401, 401];

const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();
const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });
const post = (body: unknown, headers: Headers = {}) => ({ method: 'POST', body, headers });

/** Tests of the identity data that several instances share; they run with the others on the same fleet. */
export function testSharedIdentity(fleet: () => TestFleet): void {
  const identity = new FleetIdentity(fleet);
  testSessions(fleet, identity);
  testRevokedKeys(fleet, identity);
  testCredentialsUsedOnce(fleet, identity);
  testFailedAttempts(fleet, identity);
  testBreakGlass(fleet, identity);
}

/** People of a fleet, and how its instances answer their credentials. */
class FleetIdentity {
  readonly #fleet: () => TestFleet;

  constructor(fleet: () => TestFleet) {
    this.#fleet = fleet;
  }

  people() {
    return this.#fleet().instances[0].people;
  }

  now() {
    return this.#fleet().instances[0].clock.now();
  }

  /** The status with which each instance answers a credential. */
  async known(headers: Headers) {
    const replies = await this.#fleet().everywhere('/auth/me', { headers });
    return replies.map(({ status }) => status);
  }

  async signIn({ email, password }: { email: string; password: string }) {
    const reply = await this.#fleet().call('/auth/login', post({ email, password }));
    if (reply.status !== 200) throw new Error(`Not signed in: ${reply.text}`);
    return reply.json as { accessToken: string; refreshToken: string };
  }

  refresh(refreshToken: string) {
    return this.#fleet().call('/auth/refresh', post({ refreshToken }));
  }
}

function testSessions(fleet: () => TestFleet, identity: FleetIdentity): void {
  describe('a session', () => {
    it('a session is renewed at any instance, and all accept the new tokens', async () => {
      let { accessToken, refreshToken } = await identity.signIn(await identity.people().user());
      for (let turn = 0; turn < 3; turn += 1) {
        const renewed = await identity.refresh(refreshToken);
        expect(renewed.status).toBe(200);
        ({ accessToken, refreshToken } = renewed.json);
        expect(await identity.known(bearer(accessToken))).toEqual(EVERYWHERE);
      }
    });

    it('a session renewed at all instances at once with one token is renewed once, and stays valid', async () => {
      const { refreshToken } = await identity.signIn(await identity.people().user());
      const replies = await fleet().everywhere('/auth/refresh', post({ refreshToken }), 3);
      const winners = replies.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(await identity.known(bearer(winners[0]?.json.accessToken))).toEqual(EVERYWHERE);
    });

    it('a session ends everywhere when a token that was spent long ago at one instance is sent to another', async () => {
      const first = await identity.signIn(await identity.people().user());
      const second = (await identity.refresh(first.refreshToken)).json;
      const third = (await identity.refresh(second.refreshToken)).json;
      expect((await identity.refresh(first.refreshToken)).status).toBe(401);
      expect(await identity.known(bearer(third.accessToken))).toEqual(NOWHERE);
      const { refreshToken } = third;
      const renewals = await fleet().everywhere('/auth/refresh', post({ refreshToken }));
      expect(statusesOf(renewals)).toEqual(NOWHERE);
    });

    it.each<[string, (user: TestUser) => Promise<Reply>]>([
      ['logs out', ({ refreshToken }) => fleet().call('/auth/logout', post({ refreshToken }))],
      [
        'logs out everywhere',
        (user) => fleet().call('/auth/logout-all', { method: 'POST', headers: user.session }),
      ],
      [
        'ends it in the list of sessions',
        (user) =>
          fleet().call(`/sessions/${user.sessionId}`, { method: 'DELETE', headers: user.session }),
      ],
    ])(
      'a session is refused everywhere with the next request when its owner %s at one instance',
      async (_how, end) => {
        const user = await identity.people().user();
        expect(await identity.known(user.session)).toEqual(EVERYWHERE);
        expect((await end(user)).status).toBe(204);
        expect(await identity.known(user.session)).toEqual(NOWHERE);
        expect((await identity.refresh(user.refreshToken)).status).toBe(401);
      },
    );

    it("a password change at one instance ends the owner's sessions and the old password everywhere", async () => {
      const user = await identity.people().user();
      const { accessToken } = await identity.signIn(user);
      const newPassword = 'a password nobody has';
      const changed = await fleet().call(
        '/auth/change-password',
        post({ currentPassword: user.password, newPassword }, bearer(accessToken)),
      );
      expect(changed.status).toBe(204);
      expect(await identity.known(user.session)).toEqual(NOWHERE);
      expect(await identity.known(bearer(accessToken))).toEqual(EVERYWHERE);
      const { email, password } = user;
      const old = await fleet().everywhere('/auth/login', post({ email, password }));
      expect(statusesOf(old)).toEqual(NOWHERE);
      const fresh = await fleet().everywhere('/auth/login', post({ email, password: newPassword }));
      expect(statusesOf(fresh)).toEqual(EVERYWHERE);
    });

    it('a session and a key are refused everywhere while their owner is disabled, and accepted again afterwards', async () => {
      const admin = await identity.people().user({ amr: ['pwd', 'otp'] });
      const user = await identity.people().user({ tenant: admin.tenant, role: 'viewer' });
      const set = (status: string) =>
        fleet().call(`/users/${user.id}`, {
          method: 'PATCH',
          headers: admin.session,
          body: { status },
        });
      expect((await set('disabled')).status).toBe(200);
      expect(await identity.known(user.session)).toEqual(NOWHERE);
      expect(await identity.known(user.key)).toEqual(NOWHERE);
      expect((await set('active')).status).toBe(200);
      expect(await identity.known(user.key)).toEqual(EVERYWHERE);
    });
  });
}

function testRevokedKeys(fleet: () => TestFleet, identity: FleetIdentity): void {
  it('an API key that is revoked at one instance is refused everywhere with the next request', async () => {
    const user = await identity.people().user();
    expect(await identity.known(user.key)).toEqual(EVERYWHERE);
    const revoke = { method: 'DELETE', headers: user.session };
    expect((await fleet().call(`/api-keys/${user.keyId}`, revoke)).status).toBe(204);
    expect(await identity.known(user.key)).toEqual(NOWHERE);
  });
}

function testCredentialsUsedOnce(fleet: () => TestFleet, identity: FleetIdentity): void {
  describe('sent to all instances at once, exactly one accepts', () => {
    it('a code of an authenticator sent to all instances at once is accepted once, and nowhere later', async () => {
      const user = await identity.people().user();
      const { email, password } = user;
      const at = identity.now();
      const { secret } = await enrol(fleet().database, TEST_APP_SECRET, user, { at });
      const login = post({ email, password, totp: codeAt(secret, at) });
      expect(statusesOf(await fleet().everywhere('/auth/login', login))).toEqual([200, 401, 401]);
      expect(statusesOf(await fleet().everywhere('/auth/login', login))).toEqual(NOWHERE);
    });

    it('a recovery code sent to all instances at once is accepted once', async () => {
      const user = await identity.people().user();
      const { email, password } = user;
      const at = identity.now();
      const { recoveryCodes } = await enrol(fleet().database, TEST_APP_SECRET, user, { at });
      const login = post({ email, password, recoveryCode: recoveryCodes[0] });
      expect(statusesOf(await fleet().everywhere('/auth/login', login))).toEqual([200, 401, 401]);
    });

    it('a token of a mailed link sent to all instances at once is accepted once', async () => {
      const { email } = await identity.people().user();
      await fleet().call('/auth/forgot-password', post({ email }));
      const token = tokenIn(
        await until('the mail', async () =>
          fleet().mails.received.find(({ to }) => to.includes(email)),
        ),
      );
      const reset = post({ token, password: 'a password nobody has' });
      const replies = await fleet().everywhere('/auth/reset-password', reset);
      expect(statusesOf(replies)).toEqual([204, 400, 400]);
    });

    it('a response of an identity provider and its exchange code, sent to all instances at once, are accepted once', async () => {
      const [first, ...others] = fleet().instances;
      const sso = await SingleSignOn.start(first);
      const request = await sso.provider.request(first, sso.tenant);
      const response = await sso.provider.respond(request, {}, first.clock.now());
      const instances = [first, ...others, first, ...others];
      const replies = await Promise.all(instances.map((at) => postResponse(at, response)));
      expect(statusesOf(replies)).toEqual([303, 401, 401, 401, 401, 401]);
      const taken = replies.find(({ status }) => status === 303);
      if (taken === undefined) throw new Error('No instance took it');
      const exchange = post({ code: codeIn(taken) }, sharedBrowser.headers);
      const exchanged = await fleet().everywhere('/auth/exchange', exchange);
      expect(statusesOf(exchanged)).toEqual([200, 400, 400]);
      const tokens = exchanged.find(({ status }) => status === 200)?.json;
      expect(await identity.known(bearer(tokens.accessToken))).toEqual(EVERYWHERE);
      for (const instance of instances) {
        expect((await postResponse(instance, response)).status).toBe(401);
      }
    });
  });
}

function testFailedAttempts(fleet: () => TestFleet, identity: FleetIdentity): void {
  describe('attempts that fail are counted over all instances:', () => {
    it('a hundred wrong passwords spread over all instances block an account everywhere', async () => {
      const { email, password } = await identity.people().user();
      const { services, clock } = fleet().instances[0];
      const throttles = new Throttles(services.authenticator.pool, clock);
      // The first ones are inserted directly; the last are created through all instances.
      for (let failed = 0; failed < 94; failed += 1)
        await throttles.reserve('login-account', email);
      const wrong = post({ email, password: 'not the password' });
      expect(statusesOf(await fleet().everywhere('/auth/login', wrong))).toEqual(NOWHERE);
      const right = post({ email, password });
      expect((await fleet().call('/auth/login', right)).status).toBe(200);
      expect(statusesOf(await fleet().everywhere('/auth/login', wrong))).toEqual(NOWHERE);
      expect(statusesOf(await fleet().everywhere('/auth/login', right))).toEqual(NOWHERE);
    });

    it('five wrong codes spread over all instances block a second factor everywhere', async () => {
      const user = await identity.people().user();
      const { email, password } = user;
      const at = identity.now();
      const { secret, recoveryCodes } = await enrol(fleet().database, TEST_APP_SECRET, user, {
        at,
      });
      const right = [-1, 0, 1].map((steps) => codeAt(secret, at, steps));
      const wrong = ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code));
      await fleet().everywhere('/auth/login', post({ email, password, totp: wrong }), 2);
      for (const proof of [{ totp: right[1] }, { recoveryCode: recoveryCodes[0] }]) {
        const replies = await fleet().everywhere(
          '/auth/login',
          post({ email, password, ...proof }),
        );
        expect(statusesOf(replies)).toEqual(NOWHERE);
      }
    });
  });
}

function testBreakGlass(fleet: () => TestFleet, identity: FleetIdentity): void {
  it('break-glass has one time limit for all instances, which starts with the first use, and ends everywhere', async () => {
    const headers = masterKeyHeaders(await identity.people().tenant());
    const replies = await fleet().everywhere('/auth/me', { headers }, 3);
    expect(new Set(statusesOf(replies))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ json }) => json.credential.expiresAt)).size).toBe(1);
    await fleet().database.owner.query(
      'UPDATE identity.break_glass_windows SET ends_at = now() - make_interval(secs => 1)',
    );
    expect(await identity.known(headers)).toEqual(NOWHERE);
    expect(await identity.known(headers)).toEqual(NOWHERE);
  });
}
