import { createHash } from 'node:crypto';
import { type Origin, writeAudit } from '../../../platform/audit-writer.ts';
import type { Clock } from '../../../platform/clock.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../../platform/database/tenant-database.ts';
import { NO_TENANT, newId } from '../../../platform/ids.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import { ProblemError, validationFailed } from '../../../platform/problem.ts';
import type { Sessions, TokenPair } from '../sessions/sessions.ts';
import type { GoogleIdentity, GoogleIdTokens } from './google-id-token.ts';
import { googleLinked } from './mails.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly sessions: Sessions;
  readonly mail: MailQueue;
  /** Null when sign-in with Google is not configured; every token is refused then. */
  readonly idTokens: GoogleIdTokens | null;
  /** Whether people without an invitation may register a new tenant. */
  readonly registrationOpen: boolean;
  readonly clock: Clock;
}

/** Signing in through Google does not count as a second factor. */
export const GOOGLE_AMR = ['fed'];

/**
 * Begins the nonce of every sign-in by redirect. `POST /auth/google` refuses such a token, so a stolen one is useless
 * outside the browser that started the sign-in.
 */
export const REDIRECT_NONCE_PREFIX = 'cspm-redirect.';

/** How long a used ID token is stored: well beyond the time in which it would be accepted. */
const REMEMBERED_SECONDS = 2 * 3600;

export type GoogleRefusal =
  | 'not_configured'
  | 'request'
  | 'browser'
  | 'denied'
  | 'token'
  | 'used'
  | 'nonce'
  | 'replay'
  | 'keys_unavailable'
  | 'refused'
  | 'closed'
  | 'again';

/** The admitted account, and what the audit trail says about the sign-in. */
export interface GoogleEntry {
  /** Address of the account. Google may assert another one. */
  readonly email: string;
  readonly linked: boolean;
  readonly voided: boolean;
  readonly registered: boolean;
}

/** Sign-in request of a client. */
export interface GoogleCredential {
  /** The ID token. */
  readonly credential: string;
  /** The nonce that the client started the sign-in with. */
  readonly nonce?: string | undefined;
}

/** Signs people in with Google ID tokens and audits each outcome. */
export class GoogleSignIn {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * @param isBrowser whether the client is a browser. Browsers must send the nonce they started the sign-in with,
   * because an attacker's page could submit the attacker's token (login CSRF).
   * @throws {ProblemError} VALIDATION_FAILED when a browser sends no nonce, INVALID_CREDENTIALS for a token that is invalid
   * or has signed in before, a wrong nonce or an account that cannot sign in, REGISTRATION_CLOSED for an unknown person while registration is
   * closed, SERVICE_UNAVAILABLE when Google's keys cannot be fetched.
   */
  async signIn(given: GoogleCredential, isBrowser: boolean, origin: Origin): Promise<TokenPair> {
    if (isBrowser && given.nonce === undefined) throw nonceMissing();
    const identity = await this.identify(given.credential, origin);
    const { nonce } = identity;
    if (nonce !== (given.nonce ?? null) || nonce?.startsWith(REDIRECT_NONCE_PREFIX) === true) {
      return this.refuse('nonce', origin);
    }
    const open = async (db: TenantConnection, userId: string, entry: GoogleEntry) => {
      await this.#take(db, given.credential);
      const { email, ...detail } = entry;
      const session = { userId, email, amr: GOOGLE_AMR };
      const trail = { action: 'auth.google', detail } as const;
      return this.#deps.sessions.open(db, { ...session, ...trail }, origin);
    };
    return this.enter(identity, open, origin);
  }

  /**
   * Makes an ID token useless for another sign-in.
   * @throws {NotAdmitted} when it has signed in before.
   */
  async #take(db: TenantConnection, credential: string): Promise<void> {
    const now = this.#deps.clock.now();
    const ends = new Date(now.getTime() + REMEMBERED_SECONDS * 1000);
    const [row] = await db.sql<{ taken: boolean }>(TAKE, [signedHash(credential), now, ends]);
    if (row?.taken !== true) throw new NotAdmitted('used');
  }

  /** @throws {ProblemError} INVALID_CREDENTIALS for an invalid token, SERVICE_UNAVAILABLE. */
  async identify(credential: string, origin: Origin): Promise<GoogleIdentity> {
    let identity: GoogleIdentity | null;
    try {
      identity = (await this.#deps.idTokens?.verify(credential)) ?? null;
    } catch (error) {
      await this.#auditFailure('keys_unavailable', null, origin);
      throw error;
    }
    return identity ?? this.refuse('token', origin);
  }

  /**
   * Finds or creates the account, and completes the sign-in in the same transaction.
   * @param complete may throw NotAdmitted to roll the transaction back.
   * @throws {ProblemError} INVALID_CREDENTIALS, REGISTRATION_CLOSED, and those of a refusal of `complete`.
   */
  async enter<T>(identity: GoogleIdentity, complete: Complete<T>, origin: Origin): Promise<T> {
    // The transaction needs the tenant before it starts. If the account changes meanwhile, look it up and try again.
    const attempt = () => this.#attempt(identity, complete, origin);
    const first = await attempt();
    const outcome = first.refusal === 'again' ? await attempt() : first;
    return outcome.refusal === null
      ? outcome.result
      : this.refuse(outcome.refusal, origin, outcome);
  }

  async #attempt<T>(
    identity: GoogleIdentity,
    complete: Complete<T>,
    origin: Origin,
  ): Promise<Outcome<T>> {
    const { tenants, mail } = this.#deps;
    const found = await tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<FoundRow>(FIND, [identity.subject, identity.email]);
      return row ?? null;
    });
    const who = { userId: found?.user_id ?? null, tenantId: found?.tenant_id ?? null };
    try {
      const result = await tenants.write(who.tenantId ?? newId(), async (db) => {
        const { user_id: userId, isNew, ...entry } = await this.#admit(db, identity);
        // Google vouches for addresses that others may have today, so the owner is told (ASVS 5.0, 6.3.7).
        if (entry.linked && !isNew && !entry.voided) {
          await mail.queue(db, { to: identity.email, ...googleLinked(origin) });
        }
        return complete(db, userId, entry);
      });
      return { ...who, result, refusal: null };
    } catch (error) {
      if (!(error instanceof NotAdmitted)) throw error;
      return { ...who, refusal: error.refusal };
    }
  }

  /** @throws {NotAdmitted} to roll the transaction back. */
  async #admit(db: TenantConnection, identity: GoogleIdentity) {
    const { clock, registrationOpen } = this.#deps;
    const newUserId = newId();
    const [row] = await db.sql<EntryRow>(ENTER, [
      identity.subject,
      identity.email,
      identity.name,
      identity.name ?? identity.email,
      newUserId,
      clock.now(),
      registrationOpen,
    ]);
    if (row?.outcome !== 'entered') throw new NotAdmitted(row?.outcome ?? 'refused');
    const { outcome, ...entry } = row;
    return { ...entry, isNew: entry.user_id === newUserId };
  }

  /** Audits a refusal, and throws its problem. */
  async refuse(refusal: GoogleRefusal, origin: Origin, who: Known | null = null): Promise<never> {
    await this.#auditFailure(refusal, who, origin);
    throw problemOf(refusal);
  }

  /**
   * The tenant to audit a refusal in when the person has no active membership: one where the membership is disabled.
   */
  async #tenantToTell(userId: string | null): Promise<string | null> {
    if (userId === null) return null;
    const [row] = await this.#deps.tenants.read(NO_TENANT, (db) =>
      db.sql<{ tenant_id: string | null }>(TOLD, [userId]),
    );
    return row?.tenant_id ?? null;
  }

  async #auditFailure(reason: GoogleRefusal, who: Known | null, origin: Origin): Promise<void> {
    const told = who?.tenantId ?? (await this.#tenantToTell(who?.userId ?? null));
    await this.#deps.tenants.write(told ?? NO_TENANT, (db) =>
      writeAudit(db, origin, {
        action: 'auth.google',
        outcome: 'failure',
        actor: { kind: 'person', id: who?.userId ?? null, label: null },
        detail: { reason },
      }),
    );
  }
}

/** Covers what Google signed: one signature can be spelt in several ways in base64url. */
function signedHash(credential: string): string {
  const signed = credential.slice(0, credential.lastIndexOf('.'));
  return createHash('sha256').update(signed).digest('base64url');
}

function nonceMissing(): ProblemError {
  const message =
    'is required from a browser: pass a random nonce to Google when the sign-in starts, and send it here with the token';
  return validationFailed([{ path: 'body.nonce', message }]);
}

/** The account that a token belonged to before this sign-in. */
interface Known {
  readonly userId: string | null;
  readonly tenantId: string | null;
}

type Complete<T> = (db: TenantConnection, userId: string, entry: GoogleEntry) => Promise<T>;

type Outcome<T> = Known &
  ({ readonly result: T; readonly refusal: null } | { readonly refusal: GoogleRefusal });

/** Rolls the transaction of a sign-in back. */
export class NotAdmitted extends Error {
  readonly refusal: GoogleRefusal;

  constructor(refusal: GoogleRefusal) {
    super(`Sign-in refused: ${refusal}`);
    this.refusal = refusal;
  }
}

function problemOf(refusal: GoogleRefusal): ProblemError {
  switch (refusal) {
    case 'closed':
      return new ProblemError(
        'REGISTRATION_CLOSED',
        'This address has no account with a tenant, and registration is closed. Ask an administrator to invite you.',
      );
    case 'denied':
      return new ProblemError('SIGN_IN_CANCELLED', 'The sign-in was cancelled at Google.');
    case 'request':
    case 'browser':
    case 'replay':
      return new ProblemError(
        'INVALID_TOKEN',
        'The sign-in is unknown, expired, already completed, or was started in another browser. Start it again in this browser.',
      );
    default:
      return new ProblemError('INVALID_CREDENTIALS', 'The Google account cannot sign in.');
  }
}

interface FoundRow {
  user_id: string;
  tenant_id: string | null;
}

interface EntryRow {
  outcome: 'entered' | 'refused' | 'closed' | 'again';
  user_id: string;
  email: string;
  linked: boolean;
  voided: boolean;
  registered: boolean;
}

const FIND: Statement = {
  name: 'google-find',
  reason: 'function',
  text: 'SELECT * FROM identity.find_google($1, $2)',
};
const TOLD: Statement = {
  name: 'tenant-of-sign-in',
  reason: 'function',
  text: 'SELECT identity.tenant_of_sign_in($1, NULL) AS tenant_id',
};
const ENTER: Statement = {
  name: 'google-enter',
  reason: 'function',
  text: 'SELECT * FROM identity.admit_by_google($1, $2, $3, $4, $5, $6, $7)',
};
const TAKE: Statement = {
  name: 'google-take',
  reason: 'function',
  text: 'SELECT identity.take_google_token($1, $2, $3) AS taken',
};
