import { KEY_LIFE_MS } from '../idempotency.ts';
import { Problem } from './problem.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Stored {
  readonly payload: string;
  /** Null while the first request is in progress. */
  answer: Answer | null;
  endsAt: number;
}

/** Stores the answers to requests with an Idempotency-Key. A repetition gets the stored answer and has no effect. */
export class Repetitions {
  readonly #records = new Map<string, Stored>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @returns the stored answer with `replayed`, or the answer of `work`, which is stored if it succeeds
   * @throws {Problem} IDEMPOTENCY_KEY_MISMATCH, IDEMPOTENCY_KEY_IN_USE, or what `work` throws
   */
  async once(
    of: { readonly key: string; readonly principal: string; readonly operation: string },
    input: unknown,
    work: () => Promise<Answer>,
  ): Promise<Answer & { readonly replayed: boolean }> {
    const id = JSON.stringify([of.principal, of.operation, keyOf(of.key)]);
    const payload = canonical(input);
    const known = this.#records.get(id);
    if (known !== undefined && known.endsAt > this.#now()) {
      if (known.payload !== payload) {
        throw new Problem('IDEMPOTENCY_KEY_MISMATCH', 'The key was used for another request.');
      }
      if (known.answer === null) {
        throw new Problem('IDEMPOTENCY_KEY_IN_USE', 'The first request is still in progress.', {
          headers: { 'Retry-After': '1' },
        });
      }
      return { ...known.answer, replayed: true };
    }
    const record: Stored = { payload, answer: null, endsAt: Infinity };
    this.#records.set(id, record);
    try {
      record.answer = await work();
      record.endsAt = this.#now() + KEY_LIFE_MS;
      return { ...record.answer, replayed: false };
    } catch (error) {
      this.#records.delete(id);
      throw error;
    }
  }
}

/** JSON with sorted members: as for the service, their order makes no other request. */
function canonical(input: unknown): string {
  return JSON.stringify(input, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** The key without optional double quotes. @throws {Problem} VALIDATION_FAILED for a malformed key */
function keyOf(header: string): string {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[!-+\--~]{1,255}$/.test(key) && !key.includes('"')) return key;
  throw new Problem('VALIDATION_FAILED', 'The Idempotency-Key is malformed.', {
    members: {
      errors: [
        {
          path: 'headers.idempotency-key',
          message: 'must be 1 to 255 visible ASCII characters without comma and quote',
        },
      ],
    },
  });
}
