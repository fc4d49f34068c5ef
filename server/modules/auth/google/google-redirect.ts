import { createHash, randomBytes } from 'node:crypto';
import { type Origin, writeAudit } from '../../../platform/audit-writer.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Statement, TenantDatabase } from '../../../platform/database/tenant-database.ts';
import { NO_TENANT } from '../../../platform/ids.ts';
import { ProblemError } from '../../../platform/problem.ts';
import type { WebAddress } from '../../../platform/web-address.ts';
import { callbackQuery, type ExchangeCodes } from '../sessions/exchange-code.ts';
import { SignInCookie } from '../sessions/sign-in-cookie.ts';
import type { GoogleConfig } from './google-config.ts';
import {
  GOOGLE_AMR,
  type GoogleSignIn,
  NotAdmitted,
  REDIRECT_NONCE_PREFIX,
} from './google-sign-in.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly signIn: GoogleSignIn;
  readonly codes: ExchangeCodes;
  readonly web: WebAddress;
  readonly clock: Clock;
  /** Null when sign-in with Google is not configured. */
  readonly config: GoogleConfig | null;
}

/** How long a person may take at Google. */
const REQUEST_TTL_SECONDS = 10 * 60;
const VALUE_BYTES = 32;

/** The form that Google makes the browser post. */
interface GoogleResponse {
  readonly state: string;
  readonly id_token?: string | undefined;
  readonly error?: string | undefined;
}

/** The redirect address and the cookie that the browser must send back later. */
interface BegunSignIn {
  readonly address: string;
  readonly setCookie: string;
}

/**
 * Signs people in with Google by redirect: the browser takes a state and a nonce to Google and posts an ID token back.
 * State and nonce are valid once, for 10 minutes, in the browser that started the sign-in. They are stored as hashes.
 */
export class GoogleRedirect {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Whether browsers can sign in with Google. */
  get isSetUp(): boolean {
    return (this.#deps.config?.authUrl ?? null) !== null;
  }

  /**
   * Starts a sign-in for the browser that asks for it.
   * @param cookieHeader the `Cookie` header of the request.
   * @param pageState of the page that starts it; it returns in the address of `finish`.
   * @throws {ProblemError} INVALID_CREDENTIALS when sign-in with Google is not configured.
   */
  async begin(cookieHeader: string | undefined, pageState?: string): Promise<BegunSignIn> {
    const { tenants, web, clock, config } = this.#deps;
    if (config === null || config.authUrl === null) throw notConfigured();
    const nonce = REDIRECT_NONCE_PREFIX + newValue();
    const state = pageState === undefined ? newValue() : `${newValue()}.${pageState}`;
    const { hash, setCookie } = new SignInCookie(web.url).begin(cookieHeader);
    const now = clock.now();
    const ends = new Date(now.getTime() + REQUEST_TTL_SECONDS * 1000);
    await tenants.write(NO_TENANT, (db) =>
      db.sql(BEGIN, [hashOf(state), hash, hashOf(nonce), now, ends]),
    );
    const address = new URL(config.authUrl);
    for (const [name, value] of Object.entries({
      client_id: config.clientId,
      redirect_uri: web.page('/auth/google/callback'),
      response_type: 'id_token',
      response_mode: 'form_post',
      scope: 'openid email profile',
      state,
      nonce,
    })) {
      address.searchParams.set(name, value);
    }
    return { address: address.href, setCookie };
  }

  /**
   * Handles Google's response, posted by the browser that started the sign-in. Cheap checks come first: the pending
   * sign-in, then the browser, then the token.
   * @param cookieHeader the `Cookie` header of the request.
   * @returns the address to redirect to: always the same page of the web application, with a code.
   * @throws {ProblemError} INVALID_TOKEN for a state that is unknown, expired, spent or of another browser;
   * SIGN_IN_CANCELLED when the person did not consent; INVALID_CREDENTIALS, REGISTRATION_CLOSED and SERVICE_UNAVAILABLE as
   * for `POST /auth/google`.
   */
  async finish(
    given: GoogleResponse,
    cookieHeader: string | undefined,
    origin: Origin,
  ): Promise<string> {
    const { signIn, clock, web, codes } = this.#deps;
    if (!this.isSetUp) return signIn.refuse('not_configured', origin);
    const stateHash = hashOf(given.state);
    const pending = await this.#pending(stateHash);
    if (pending === null) return signIn.refuse('request', origin);
    const { browser_hash: browserHash, nonce_hash: nonceHash } = pending;
    if (!new SignInCookie(web.url).isFrom(browserHash, cookieHeader)) {
      return signIn.refuse('browser', origin);
    }
    if (given.error !== undefined) {
      await this.#consume(stateHash);
      return signIn.refuse(given.error === 'access_denied' ? 'denied' : 'token', origin);
    }
    const identity = await signIn.identify(given.id_token ?? '', origin);
    if (hashOf(identity.nonce ?? '') !== nonceHash) return signIn.refuse('nonce', origin);
    const code = await signIn.enter(
      identity,
      async (db, userId, entry) => {
        const [row] = await db.sql<{ spent: boolean }>(CONSUME, [stateHash, clock.now()]);
        if (row?.spent !== true) throw new NotAdmitted('replay');
        const who = { userId, subject: identity.subject, amr: GOOGLE_AMR, browserHash };
        const issued = await codes.issueForGoogle(db, who);
        const { email, ...detail } = entry;
        await writeAudit(db, origin, {
          action: 'auth.google',
          outcome: 'success',
          actor: { kind: 'person', id: userId, label: email },
          detail,
        });
        return issued;
      },
      origin,
    );
    const [, pageState] = given.state.split('.');
    return web.page('/auth/callback', callbackQuery(code, pageState));
  }

  async #pending(stateHash: string): Promise<PendingRow | null> {
    const { tenants, clock } = this.#deps;
    return tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<PendingRow>(PENDING, [stateHash, clock.now()]);
      return row ?? null;
    });
  }

  async #consume(stateHash: string): Promise<void> {
    const { tenants, clock } = this.#deps;
    await tenants.write(NO_TENANT, (db) =>
      db.sql<{ spent: boolean }>(CONSUME, [stateHash, clock.now()]),
    );
  }
}

function newValue(): string {
  return randomBytes(VALUE_BYTES).toString('base64url');
}

function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

function notConfigured(): ProblemError {
  return new ProblemError('INVALID_CREDENTIALS', 'Sign-in with Google is not configured.');
}

interface PendingRow {
  browser_hash: string;
  nonce_hash: string;
}

const BEGIN: Statement = {
  name: 'google-begin',
  reason: 'function',
  text: 'SELECT identity.begin_google($1, $2, $3, $4, $5)',
};
const PENDING: Statement = {
  name: 'google-request',
  reason: 'function',
  text: 'SELECT * FROM identity.google_request($1, $2)',
};
const CONSUME: Statement = {
  name: 'google-consume',
  reason: 'function',
  text: 'SELECT identity.consume_google($1, $2) AS spent',
};
