import type { TestServer } from './test-server.ts';
import { freshAddress } from './test-server.ts';

/** An item of a stream of server-sent events: an event, or a comment. */
export interface StreamedEvent {
  readonly event: string;
  readonly id: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the data member by member
  readonly data: any;
  /** By the clock of the machine, in milliseconds. */
  readonly at: number;
}

/** A client of server-sent events (HTML standard, §9.2) that stores what it receives. */
export class EventStream {
  readonly response: Response;
  readonly events: StreamedEvent[] = [];
  readonly comments: string[] = [];
  readonly #leave = new AbortController();
  readonly #ended: Promise<void>;
  hasEnded = false;

  private constructor(response: Response, leave: AbortController) {
    this.response = response;
    this.#leave = leave;
    this.#ended = this.#read().finally(() => {
      this.hasEnded = true;
    });
    this.#ended.catch(() => undefined);
  }

  static async open(
    server: Pick<TestServer, 'url'>,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<EventStream> {
    const leave = new AbortController();
    const response = await fetch(server.url + path, {
      headers: { 'x-forwarded-for': freshAddress(), ...headers },
      signal: leave.signal,
    });
    return new EventStream(response, leave);
  }

  /** Resolves once the server has ended the stream. */
  ended(): Promise<void> {
    return this.#ended;
  }

  leave(): void {
    this.#leave.abort();
  }

  async #read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of this.response.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      if (colon === 0) this.comments.push(line.slice(1).trim());
      else fields.set(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    const data = fields.get('data');
    if (data === undefined) return;
    this.events.push({
      event: fields.get('event') ?? 'message',
      id: Number(fields.get('id')),
      data: JSON.parse(data),
      at: performance.now(),
    });
  }
}
