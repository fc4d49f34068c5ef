import type { QueryResultRow } from 'pg';
import { newId } from '../../server/platform/ids.ts';
import { type CookieJar, sharedBrowser } from './cookie-jar.ts';
import { Belongings } from './fixtures.ts';
import { codeIn, type Said, TestIdentityProvider } from './identity-provider.ts';
import type { TestTenant, TestUser, UserOptions } from './people.ts';
import type { Reply, TestServer } from './test-server.ts';

/** A tenant that trusts an identity provider, and sign-ins through it. */
export class SingleSignOn {
  readonly server: TestServer;
  readonly provider: TestIdentityProvider;
  readonly tenant: TestTenant;

  private constructor(server: TestServer, provider: TestIdentityProvider, tenant: TestTenant) {
    this.server = server;
    this.provider = provider;
    this.tenant = tenant;
  }

  static async start(server: TestServer, provider = new TestIdentityProvider(), verified = true) {
    const sso = new SingleSignOn(server, provider, await server.people.tenant(['sso']));
    await sso.trust(verified);
    return sso;
  }

  /** Replaces the settings, with the provider's domain verified unless stated otherwise. */
  trust(verified = true): Promise<string> {
    const { services, database } = this.server;
    const belongings = new Belongings(services, database, this.tenant);
    return belongings.samlConnection(this.provider, verified);
  }

  /** An unused address that the provider may assert. */
  address(): string {
    return `${newId()}@${this.provider.domain}`;
  }

  /** A user with such an address. */
  async person(options: UserOptions = {}): Promise<TestUser> {
    const user = await this.server.people.user(options);
    const email = this.address();
    await this.sql('UPDATE identity.users SET email = $2 WHERE id = $1', [user.id, email]);
    return { ...user, email };
  }

  /** The state of a membership in this tenant: invited, active or disabled. */
  setStatus(user: { id: string }, status: string) {
    return this.sql(
      'UPDATE identity.memberships SET status = $3 WHERE user_id = $1 AND tenant_id = $2',
      [user.id, this.tenant.id, status],
    );
  }

  signIn(said: Said = {}): Promise<Reply> {
    return this.provider.signIn(this.server, this.tenant, said);
  }

  exchange(code: string, { headers }: CookieJar = sharedBrowser): Promise<Reply> {
    return this.server.call('/auth/exchange', { method: 'POST', headers, body: { code } });
  }

  confirm(body: object): Promise<Reply> {
    return this.server.call('/auth/confirm', { method: 'POST', body });
  }

  /** A whole sign-in, and the resulting user. The password confirms the provider if that is required. */
  async enter(said: Said, password?: string) {
    const reply = await this.signIn(said);
    if (reply.status !== 303) throw new Error(`Refused: ${await this.reasonOf(reply)}`);
    const exchanged = await this.exchange(codeIn(reply));
    const token = exchanged.json.confirmation?.token;
    const tokens =
      token === undefined || password === undefined
        ? exchanged
        : await this.confirm({ token, password });
    const session = { authorization: `Bearer ${tokens.json.accessToken}` };
    const me = await this.server.call('/auth/me', { headers: session });
    return { me: me.json, session, refreshToken: tokens.json.refreshToken as string };
  }

  /** The audit rows of a request: action, outcome and reason. */
  async trailOf(reply: Reply, tenantId = this.tenant.id) {
    const rows = await this.server.services.tenants.read(tenantId, (db) =>
      db.sql<QueryResultRow>(
        { name: 'test-trail', text: 'SELECT * FROM audit_events WHERE correlation_id = $1' },
        [reply.headers.get('x-correlation-id')],
      ),
    );
    return rows.map((row) => [row['action'], row['outcome'], row['detail'].reason]);
  }

  async reasonOf(reply: Reply): Promise<string | undefined> {
    const [[, , reason] = []] = await this.trailOf(reply);
    return reason;
  }

  async sql(text: string, values: unknown[] = []) {
    return (await this.server.database.owner.query(text, values)).rows;
  }
}
