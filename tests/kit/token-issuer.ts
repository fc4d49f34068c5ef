import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import type { GoogleConfig } from '../../server/modules/auth/google/google-config.ts';

interface IssuerKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

export type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** A minimal OpenID Connect issuer on loopback: discovery, keys over HTTP, and valid or invalid tokens. */
export class TokenIssuer {
  readonly config: GoogleConfig;
  /** The number of requests for its keys. */
  keyRequests = 0;
  /** Answers browsers at the authorization endpoint. */
  authorize: Answer | null = null;
  /** Replaces the response to a request for the keys. */
  misbehave: Answer | null = null;
  readonly #server: ReturnType<typeof createServer>;
  #key: IssuerKey;

  private constructor(server: ReturnType<typeof createServer>, key: IssuerKey) {
    this.#server = server;
    this.#key = key;
    const { port } = server.address() as AddressInfo;
    this.config = {
      clientId: 'test-client',
      issuer: `http://127.0.0.1:${port}`,
      // Another site than the server's for browsers.
      authUrl: `http://localhost:${port}/authorize`,
    };
  }

  static async start(): Promise<TokenIssuer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new TokenIssuer(server, await newKey());
    server.on('request', (req, res) => void issuer.#answer(req, res));
    return issuer;
  }

  /** Signs with a new key from now on, and publishes only that one. */
  async rotate(): Promise<void> {
    this.#key = await newKey();
  }

  /** The same key, imported for another algorithm. */
  async keyFor(algorithm: string) {
    return importJWK(await exportJWK(this.#key.privateKey), algorithm);
  }

  get kid(): string {
    return this.#key.kid;
  }

  /** The public key as text, which an attacker may try to use as a shared secret (algorithm confusion). */
  publicKeyPem(): Promise<string> {
    return exportSPKI(this.#key.publicKey);
  }

  /** Valid claims with the given replacements; undefined: omitted. */
  claims(now: Date, claims: Record<string, unknown> = {}): JWTPayload {
    const iat = Math.floor(now.getTime() / 1000);
    return {
      iss: this.config.issuer,
      aud: this.config.clientId,
      sub: 'google-1',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      iat,
      exp: iat + 3600,
      jti: randomUUID(),
      ...claims,
    };
  }

  /** An ID token; given claims replace the valid ones. */
  async token(
    now: Date,
    claims: Record<string, unknown> = {},
    header: Record<string, string> = {},
  ) {
    return new SignJWT(this.claims(now, claims))
      .setProtectedHeader({ alg: 'RS256', kid: this.#key.kid, typ: 'JWT', ...header })
      .sign(this.#key.privateKey);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    res.setHeader('content-type', 'application/json');
    const { issuer } = this.config;
    if (req.url === '/.well-known/openid-configuration') {
      res.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
      return;
    }
    if (req.url?.startsWith('/authorize') === true) {
      if (this.authorize === null) res.writeHead(404).end();
      else this.authorize(req, res);
      return;
    }
    this.keyRequests += 1;
    if (this.misbehave !== null) {
      this.misbehave(req, res);
      return;
    }
    const key: JWK = await exportJWK(this.#key.publicKey);
    res.end(JSON.stringify({ keys: [{ ...key, kid: this.#key.kid, use: 'sig' }] }));
  }
}

let lastKid = 0;

async function newKey(): Promise<IssuerKey> {
  const pair = await generateKeyPair('RS256', { extractable: true });
  lastKid += 1;
  return { kid: `key-${lastKid}`, ...pair };
}
