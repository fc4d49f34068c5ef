import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as a receiver got it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

/** Answers a request; a status is short for an answer without a body. */
export type Reaction = number | ((response: ServerResponse, received: Received) => void);

/** A real receiver of webhooks on loopback. */
export class WebhookReceiver {
  readonly #server: http.Server | https.Server;
  readonly #scheme: string;
  /** What it does with the next requests. */
  reaction: Reaction = 204;
  readonly received: Received[] = [];
  /** The server name (SNI) of each TLS handshake. */
  readonly serverNames: string[] = [];
  /** Connections that were opened. */
  connections = 0;

  private constructor(tls?: https.ServerOptions) {
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#server =
      tls === undefined
        ? http.createServer()
        : https.createServer({
            ...tls,
            SNICallback: (name, done) => {
              this.serverNames.push(name);
              done(null);
            },
          });
    this.#server.on(tls === undefined ? 'connection' : 'secureConnection', () => {
      this.connections += 1;
    });
    this.#server.on('request', (request: http.IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = {
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString('utf8'),
          at: Date.now(),
        };
        this.received.push(received);
        if (typeof this.reaction === 'number') response.writeHead(this.reaction).end();
        else this.reaction(response, received);
      });
    });
  }

  static async start(tls?: https.ServerOptions): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(tls);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}/hook`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
