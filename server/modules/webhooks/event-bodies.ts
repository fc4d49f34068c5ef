import { WEBHOOK_PAYLOADS } from '@cspm/contract';

/** Maximum size of the bodies that are kept, as characters of JavaScript. */
const KEPT_CHARACTERS = 8 * 1024 * 1024;

/**
 * The types of events whose stored bodies never change. The others name a person, and the stored body loses the address
 * when the person is removed. An event of a type that this release does not know may name one too.
 */
const UNCHANGING_TYPES: ReadonlySet<string> = new Set(
  Object.entries(WEBHOOK_PAYLOADS)
    .filter(([, payload]) => !('user' in payload.shape.data.shape))
    .map(([type]) => type),
);

/** Bodies of recent events that never change: the deliveries of an event to many webhooks read its body once. */
export class EventBodies {
  readonly #bodies = new Map<string, string>();
  #characters = 0;

  get(eventId: string): string | undefined {
    return this.#bodies.get(eventId);
  }

  /** Keeps the body, unless a later read of the event may find another one. */
  add(eventId: string, type: string, body: string): void {
    if (!UNCHANGING_TYPES.has(type)) return;
    if (this.#bodies.has(eventId) || body.length > KEPT_CHARACTERS) return;
    this.#bodies.set(eventId, body);
    this.#characters += body.length;
    // A map keeps the order in which its members were added.
    for (const [oldest, text] of this.#bodies) {
      if (this.#characters <= KEPT_CHARACTERS) return;
      this.#bodies.delete(oldest);
      this.#characters -= text.length;
    }
  }
}
