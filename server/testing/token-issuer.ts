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
import type { GoogleConfig } from '../identity/google-config.ts';

interface IssuerKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

export type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** An OpenID Connect issuer on loopback, as far as its tokens go: discovery, keys over HTTP, and tokens of any kind. */
export class TokenIssuer {
  readonly config: GoogleConfig;
  /** How often its keys were asked for. */
  keyRequests = 0;
  /** Answers a request for the keys in the place of the issuer. */
  misbehave: Answer | null = null;
  readonly #server: ReturnType<typeof createServer>;
  #key: IssuerKey;

  private constructor(server: ReturnType<typeof createServer>, key: IssuerKey) {
    this.#server = server;
    this.#key = key;
    const { port } = server.address() as AddressInfo;
    this.config = { clientId: 'test-client', issuer: `http://127.0.0.1:${port}` };
  }

  static async start(): Promise<TokenIssuer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new TokenIssuer(server, await newKey());
    server.on('request', (req, res) => void issuer.#answer(req, res));
    return issuer;
  }

  /** Signs with another key from now on, and publishes that one alone. */
  async rotate(): Promise<void> {
    this.#key = await newKey();
  }

  /** The same key, for signing by another algorithm than the one that is right. */
  async keyFor(algorithm: string) {
    return importJWK(await exportJWK(this.#key.privateKey), algorithm);
  }

  get kid(): string {
    return this.#key.kid;
  }

  /** The public key as text: what somebody may try to pass off as a shared secret. */
  publicKeyPem(): Promise<string> {
    return exportSPKI(this.#key.publicKey);
  }

  /** What is right, with what is given in its place; undefined: left out. */
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
      ...claims,
    };
  }

  /** An ID token; whatever is given stands in the place of what is right. */
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
