import type { QueryResultRow } from 'pg';
import { codeAt, type Enrolled, enrol } from './authenticator.ts';
import type { TestUser } from './people.ts';
import { TEST_APP_SECRET, type TestServer } from './test-server.ts';

type Headers = Record<string, string>;

/** Calls and queries about the second factor of the current user of a test. */
export function twoFactorCalls(current: () => { server: TestServer; user: TestUser }) {
  const now = (secret: string, steps = 0) => codeAt(secret, current().server.clock.now(), steps);
  return {
    twoFactor: (name: string, body: unknown, headers: Headers = current().user.session) =>
      current().server.call(`/auth/2fa/${name}`, { method: 'POST', headers, body }),

    bearer: (accessToken: string) => ({ authorization: `Bearer ${accessToken}` }),

    me: async (headers: Headers) => (await current().server.call('/auth/me', { headers })).json,

    enrolled(): Promise<Enrolled> {
      const { server, user } = current();
      return enrol(server.database, TEST_APP_SECRET, user, { at: server.clock.now() });
    },

    now,

    /** A code that is wrong in each of the three accepted time steps. */
    wrongCode(secret: string): string {
      const right = [-1, 0, 1].map((steps) => now(secret, steps));
      return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
    },

    /** The database columns of the second factor. */
    async kept() {
      const { server, user } = current();
      const { rows } = await server.database.owner.query(
        `SELECT u.totp_secret, u.totp_enabled_at, u.totp_last_step,
                (SELECT array_agg(r.hash) FROM identity.recovery_codes r WHERE r.user_id = u.id) AS hashes
         FROM identity.users u WHERE u.id = $1`,
        [user.id],
      );
      return rows[0];
    },

    /** The audit trail as actions with their outcome. */
    async trail(): Promise<string[]> {
      const { server, user } = current();
      const rows = await server.services.tenants.read(user.tenant.id, (db) =>
        db.sql<QueryResultRow>({
          name: 'test-2fa-trail',
          text: 'SELECT * FROM audit_events ORDER BY at, id',
        }),
      );
      return rows.map((row) => `${row['action']} ${row['outcome']}`);
    },
  };
}
