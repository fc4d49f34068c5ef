import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Answer {
  readonly status: number;
  readonly connection: string;
}

/** Sends one request over an agent's connections. */
export function ask(url: string, agent: Agent, { method = 'GET', headers = {}, body }: Sent = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { ...headers, ...type } }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      const answer = { status, connection: received.connection ?? '' };
      response
        .resume()
        .once('error', reject)
        .once('end', () => resolve(answer));
    });
    sent.once('error', reject).end(text);
  });
}

export const CLIENTS = 24;

/** Pauses, so that the load does not saturate the machine. */
const PAUSE_MS = 10;

/** Clients that send sequential requests over keep-alive connections until they are stopped. */
export class SteadyLoad {
  readonly answers: Answer[] = [];
  readonly failures: unknown[] = [];
  /** Projects whose creation was confirmed. */
  readonly made: string[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  readonly #clients: Promise<void>[];
  #leaving = false;

  constructor(url: string, key: Readonly<Record<string, string>>) {
    const client = async (number: number) => {
      for (let count = 0; !this.#leaving; count += 1) {
        const name = `made-${number}-${count}`;
        const [path, sent] = [
          ['/problems/not-found', {}] as const,
          ['/scans?limit=1', { headers: key }] as const,
          ['/projects', { method: 'POST', headers: key, body: { name } }] as const,
        ][count % 3] ?? ['/', {}];
        await ask(url + path, this.#agent, sent).then(
          (answer) => {
            this.answers.push(answer);
            if (answer.status === 201) this.made.push(name);
          },
          (error) => this.failures.push(error),
        );
        await delay(PAUSE_MS);
      }
    };
    this.#clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  }

  async leave(): Promise<void> {
    this.#leaving = true;
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }
}
