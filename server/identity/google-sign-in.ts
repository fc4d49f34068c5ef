import type { Clock } from '../clock.ts';
import type { Statement, TenantConnection, TenantDatabase } from '../database/tenant-database.ts';
import { NO_TENANT, newId } from '../ids.ts';
import { type Origin, writeAudit } from '../pipeline/audit.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { GoogleIdentity, GoogleIdTokens } from './google-id-token.ts';
import type { Sessions, TokenPair } from './sessions.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly sessions: Sessions;
  /** Null: sign-in with Google is not set up, and every token is refused. */
  readonly idTokens: GoogleIdTokens | null;
  /** Whether somebody whom nobody invited may have a tenant of their own. */
  readonly registrationOpen: boolean;
  readonly clock: Clock;
}

/** What Google vouches for is no second factor of ours: endpoints that want one go on asking for it. */
const AMR = ['fed'];

type Refusal = 'token' | 'keys_unavailable' | 'refused' | 'closed' | 'again';

/** Signs people in by an ID token of Google; each outcome is audited. */
export class GoogleSignIn {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * @throws {ProblemError} INVALID_CREDENTIALS for a token or an account that is not good, REGISTRATION_CLOSED for an
   * unknown person where nobody may register, SERVICE_UNAVAILABLE when Google's keys cannot be had.
   */
  async signIn(credential: string, origin: Origin): Promise<TokenPair> {
    const identity = await this.#identify(credential, origin);
    if (identity === null) return this.#refuse('token', null, origin);
    // The tenant has to be known before the transaction begins; what changes in between makes it begin once more.
    const first = await this.#enter(identity, origin);
    const outcome = first.refusal === 'again' ? await this.#enter(identity, origin) : first;
    return outcome.tokens ?? this.#refuse(outcome.refusal, outcome, origin);
  }

  async #identify(credential: string, origin: Origin): Promise<GoogleIdentity | null> {
    try {
      return (await this.#deps.idTokens?.verify(credential)) ?? null;
    } catch (error) {
      await this.#auditFailure('keys_unavailable', null, origin);
      throw error;
    }
  }

  async #enter(identity: GoogleIdentity, origin: Origin): Promise<Outcome> {
    const { tenants, sessions } = this.#deps;
    const found = await tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<FoundRow>(FIND, [identity.subject, identity.email]);
      return row ?? null;
    });
    const who = { userId: found?.user_id ?? null, tenantId: found?.tenant_id ?? null };
    try {
      const tokens = await tenants.write(who.tenantId ?? newId(), async (db) => {
        const { user_id: userId, ...entry } = await this.#admit(db, identity);
        const session = { userId, email: identity.email, amr: AMR };
        return sessions.open(db, { ...session, action: 'auth.google', detail: entry }, origin);
      });
      return { ...who, tokens, refusal: null };
    } catch (error) {
      if (!(error instanceof NotAdmitted)) throw error;
      return { ...who, tokens: null, refusal: error.refusal };
    }
  }

  /** @throws {NotAdmitted} which undoes what the admission had changed so far. */
  async #admit(db: TenantConnection, identity: GoogleIdentity) {
    const { clock, registrationOpen } = this.#deps;
    const [row] = await db.sql<EntryRow>(ENTER, [
      identity.subject,
      identity.email,
      identity.name,
      identity.name ?? identity.email,
      newId(),
      clock.now(),
      registrationOpen,
    ]);
    if (row?.outcome !== 'entered') throw new NotAdmitted(row?.outcome ?? 'refused');
    const { outcome, ...entry } = row;
    return entry;
  }

  async #refuse(refusal: Refusal, who: Known | null, origin: Origin): Promise<never> {
    await this.#auditFailure(refusal, who, origin);
    throw refusal === 'closed'
      ? new ProblemError('REGISTRATION_CLOSED', 'You have no account here yet.')
      : new ProblemError('INVALID_CREDENTIALS', 'The Google account opens no session.');
  }

  async #auditFailure(reason: Refusal, who: Known | null, origin: Origin): Promise<void> {
    await this.#deps.tenants.write(who?.tenantId ?? NO_TENANT, (db) =>
      writeAudit(db, origin, {
        action: 'auth.google',
        outcome: 'failure',
        actor: { kind: 'person', id: who?.userId ?? null, label: null },
        detail: { reason },
      }),
    );
  }
}

/** Whom a token stands for, as far as we knew before it came. */
interface Known {
  readonly userId: string | null;
  readonly tenantId: string | null;
}

type Outcome = Known &
  (
    | { readonly tokens: TokenPair; readonly refusal: null }
    | { readonly tokens: null; readonly refusal: Refusal }
  );

class NotAdmitted extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`Not admitted: ${refusal}`);
    this.refusal = refusal;
  }
}

interface FoundRow {
  user_id: string;
  tenant_id: string | null;
}

interface EntryRow {
  outcome: 'entered' | 'refused' | 'closed' | 'again';
  user_id: string;
  linked: boolean;
  voided: boolean;
  registered: boolean;
}

const FIND: Statement = {
  name: 'google-find',
  text: 'SELECT * FROM identity.find_google($1, $2)',
};
const ENTER: Statement = {
  name: 'google-enter',
  text: 'SELECT * FROM identity.enter_by_google($1, $2, $3, $4, $5, $6, $7)',
};
