import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Answer, googleError } from './answer.ts';
import { AssetInventory, VIEWER } from './asset-inventory.ts';
import { Identities } from './identities.ts';

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Replaced = Answer | 'cut' | null;
/** Replaces the answer to a request: with another one, with none (`'cut'`), or not (null). It may take its time. */
export type Misbehaviour = (request: FakeRequest) => Replaced | Promise<Replaced>;

interface FakeGoogleOptions {
  /** In milliseconds. Default: the system's clock. */
  readonly now?: () => number;
  /** Default: a free one. */
  readonly port?: number;
}

/**
 * Google's token endpoint, IAM Credentials and Cloud Asset API on loopback, as far as a pull uses them. Shapes are those
 * of the discovery document of cloudasset v1. It checks signatures, audiences, scopes, expiry, permissions, quota and
 * page tokens.
 */
export class FakeGoogle {
  readonly identities: Identities;
  readonly inventory: AssetInventory;
  /** All requests, oldest first. */
  readonly requests: FakeRequest[] = [];
  misbehave: Misbehaviour | null = null;
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>, now: () => number) {
    this.#server = server;
    this.identities = new Identities(now);
    this.inventory = new AssetInventory(now);
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start({ now = Date.now, port = 0 }: FakeGoogleOptions = {}): Promise<FakeGoogle> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const google = new FakeGoogle(server, now);
    server.on('request', (req, res) => void google.#handle(req, res));
    return google;
  }

  /** The settings of a client that uses this fake. */
  get settings() {
    return {
      assetUrl: this.url,
      tokenUrl: `${this.url}/token`,
      iamCredentialsUrl: this.url,
      allowLoopbackHttp: true,
    };
  }

  /** The configuration of a server that uses this fake. It has no identity of its own. */
  get server() {
    const { assetUrl, tokenUrl, iamCredentialsUrl } = this.settings;
    const environment: Record<string, string> = {
      METADATA_SERVER_DETECTION: 'none',
      HOME: '/nonexistent',
    };
    return { endpoints: { assetUrl, tokenUrl, iamCredentialsUrl }, environment };
  }

  /** The variables of a program that uses this fake. */
  get environment(): Record<string, string> {
    const { assetUrl, tokenUrl, iamCredentialsUrl } = this.settings;
    return {
      GOOGLE_ASSET_URL: assetUrl,
      GOOGLE_TOKEN_URL: tokenUrl,
      GOOGLE_IAM_CREDENTIALS_URL: iamCredentialsUrl,
      GOOGLE_ALLOW_LOOPBACK_HTTP: 'true',
    };
  }

  /** Serves the records of an export as the assets of the parent. */
  async serveFile(parent: string, file: string | URL): Promise<void> {
    this.inventory.serve(parent, (await readFile(file, 'utf8')).split('\n'));
  }

  /** A service account that may view the assets of the parent. @returns the JSON of its key file */
  viewer(parent: string, email = 'scanner@tools-1.iam.gserviceaccount.com') {
    this.inventory.grant(email, parent, VIEWER);
    return this.identities.serviceAccount(email, this.settings.tokenUrl);
  }

  /** The `ListAssets` requests. */
  get lists(): readonly FakeRequest[] {
    return this.requests.filter(({ path }) => path.endsWith('/assets'));
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '/', this.url);
    const request: FakeRequest = {
      method: req.method ?? '',
      path: decodeURIComponent(pathname),
      query: searchParams,
      headers: req.headers,
      body: await text(req).catch(() => ''),
    };
    this.requests.push(request);
    const answer = (await this.misbehave?.(request)) ?? this.#answer(request);
    if (answer === 'cut') {
      req.socket.resetAndDestroy();
      return;
    }
    write(req, res, answer);
  }

  #answer({ method, path, query, headers, body }: FakeRequest): Answer {
    const { authorization } = headers;
    if (method === 'POST' && path === '/token') {
      return this.identities.token(new URLSearchParams(body), this.settings.tokenUrl);
    }
    const [, target] =
      /^\/v1\/projects\/-\/serviceAccounts\/([^/]+):generateAccessToken$/.exec(path) ?? [];
    if (method === 'POST' && target !== undefined) {
      return this.identities.generateAccessToken(authorization, target, JSON.parse(body));
    }
    const [, parent] =
      /^\/v1\/((?:projects|folders|organizations)\/[^/]+)\/assets$/.exec(path) ?? [];
    if (method === 'GET' && parent !== undefined) {
      const session = this.identities.sessionOf(authorization);
      const userProject = headers['x-goog-user-project'];
      return this.inventory.list({
        parent,
        query,
        session,
        userProject: Array.isArray(userProject) ? userProject[0] : userProject,
      });
    }
    return googleError(404, 'NOT_FOUND', 'Requested entity was not found.');
  }
}

function write(req: IncomingMessage, res: ServerResponse, answer: Answer): void {
  const isPacked =
    /\bgzip\b/.test(String(req.headers['accept-encoding'])) && answer.body.length > 1_024;
  res.writeHead(answer.status, {
    'content-type': 'application/json; charset=UTF-8',
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...answer.headers,
  });
  res.end(isPacked ? gzipSync(answer.body, { level: 1 }) : answer.body);
}
